/// Encoder of Huffman-coded lossless JPEG (ITU-T T.81, process 14) for DNG.
package struct LosslessJPEGEncoder: Sendable {
    /// Size in the JPEG: `width` columns of `components` each.
    package struct Shape: Hashable, Sendable {
        var width: Int
        var height: Int
        var components: Int

        package init(width: Int, height: Int, components: Int) {
            self.width = width
            self.height = height
            self.components = components
        }

        var samplesPerRow: Int { width * components }
    }

    let shape: Shape
    let precision: Int
    /// Predictor, 1 to 7 (T.81, table H.1).
    let predictor: Int

    package init(shape: Shape, precision: Int, predictor: Int) {
        self.shape = shape
        self.precision = precision
        self.predictor = predictor
    }

    /// Counts the difference categories of one chunk.
    ///
    /// - Parameters:
    ///   - samples: `shape.height` rows of `shape.samplesPerRow`.
    ///   - frequencies: incremented for each category.
    package func count(_ samples: UnsafePointer<UInt16>, into frequencies: inout [Int]) {
        for counts in unsafe frequenciesByComponent(samples) {
            for (category, count) in counts.enumerated() { frequencies[category] += count }
        }
    }

    /// Frequency of each category in each component of a chunk.
    package func frequenciesByComponent(_ samples: UnsafePointer<UInt16>) -> [[Int]] {
        let categories = HuffmanCode.symbols
        var counts = [Int](repeating: 0, count: categories * shape.components)
        unsafe counts.withUnsafeMutableBufferPointer { counts in
            unsafe forEachDifference(samples) { difference, component in
                unsafe counts[component * categories + category(of: difference)] += 1
            }
        }
        return (0..<shape.components).map { Array(counts[$0 * categories..<($0 + 1) * categories]) }
    }

    /// Encodes one chunk with its headers.
    ///
    /// - Parameter tables: one for all components, or one for each.
    package func encode(_ samples: UnsafePointer<UInt16>, tables: [HuffmanCode]) -> [UInt8] {
        let header = self.header(tables)
        let capacity = header.count + shape.samplesPerRow * shape.height * 8 + 16
        let byComponent = (0..<shape.components).map { tables[tables.count == 1 ? 0 : $0] }
        return unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            _ = unsafe buffer.update(fromContentsOf: header)
            var writer = unsafe BitWriter(buffer: buffer, position: header.count)
            let categories = HuffmanCode.symbols
            unsafe byComponent.flatMap(\.codes).withUnsafeBufferPointer { codes in
                unsafe byComponent.flatMap(\.lengths).withUnsafeBufferPointer { lengths in
                    unsafe forEachDifference(samples) { difference, component in
                        let category = category(of: difference)
                        let symbol = component * categories + category
                        unsafe writer.write(codes[symbol], count: lengths[symbol])
                        // Negative differences are coded one lower; category 16 is always 32768.
                        let bits = category == 16 ? 0 : UInt32(category)
                        let value = difference < 0 ? difference - 1 : difference
                        writer.write(UInt32(truncatingIfNeeded: value) & ((1 << bits) - 1), count: bits)
                    }
                }
            }
            count = writer.finish()
        }
    }

    private func header(_ tables: [HuffmanCode]) -> [UInt8] {
        func uint16(_ value: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
        }
        let components = shape.components
        var bytes: [UInt8] = [0xff, 0xd8, 0xff, 0xc3] + uint16(8 + 3 * components) + [UInt8(precision)]
        bytes += uint16(shape.height) + uint16(shape.width) + [UInt8(components)]
        for index in 0..<components { bytes += [UInt8(index), 0x11, 0] }
        for (index, code) in tables.enumerated() {
            bytes += [0xff, 0xc4] + uint16(3 + code.table.count) + [UInt8(index)] + code.table
        }
        bytes += [0xff, 0xda] + uint16(6 + 2 * components) + [UInt8(components)]
        for index in 0..<components { bytes += [UInt8(index), tables.count == 1 ? 0 : UInt8(index << 4)] }
        return bytes + [UInt8(predictor), 0, 0]
    }

    /// Calls `body` with each difference to the prediction, modulo 2^16, in coding order, and with its component.
    @inline(__always)
    private func forEachDifference(_ samples: UnsafePointer<UInt16>, _ body: (Int32, Int) -> Void) {
        let components = shape.components
        let perRow = shape.samplesPerRow
        for y in 0..<shape.height {
            let row = unsafe samples + y * perRow
            var component = 0
            for x in 0..<perRow {
                let predicted: Int32
                if y == 0 {
                    predicted = unsafe x < components ? 1 << Int32(precision - 1) : Int32(row[x - components])
                } else if x < components {
                    predicted = unsafe Int32(row[x - perRow])
                } else {
                    predicted = unsafe prediction(
                        left: Int32(row[x - components]), above: Int32(row[x - perRow]),
                        corner: Int32(row[x - perRow - components]))
                }
                unsafe body(Int32(Int16(truncatingIfNeeded: Int32(row[x]) - predicted)), component)
                component = component + 1 == components ? 0 : component + 1
            }
        }
    }

    @inline(__always)
    private func prediction(left: Int32, above: Int32, corner: Int32) -> Int32 {
        switch predictor {
        case 2: above
        case 3: corner
        case 4: left + above - corner
        case 5: left + ((above - corner) >> 1)
        case 6: above + ((left - corner) >> 1)
        case 7: (left + above) >> 1
        default: left
        }
    }

    @inline(__always)
    private func category(of difference: Int32) -> Int { 32 - difference.magnitude.leadingZeroBitCount }
}

/// Writes bits, highest first, with a zero byte after each 0xff, and the end marker.
@safe private struct BitWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    var position: Int
    private var held: UInt64 = 0
    private var heldBits: UInt32 = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>, position: Int) {
        unsafe self.buffer = unsafe buffer
        self.position = position
    }

    @inline(__always)
    mutating func write(_ bits: UInt32, count: UInt32) {
        held = held << UInt64(count) | UInt64(bits)
        heldBits += count
        while heldBits >= 8 {
            heldBits -= 8
            put(UInt8(truncatingIfNeeded: held >> UInt64(heldBits)))
        }
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        unsafe buffer[position] = byte
        position += 1
        if byte == 0xff {
            unsafe buffer[position] = 0
            position += 1
        }
    }

    mutating func finish() -> Int {
        if heldBits > 0 { write((1 << (8 - heldBits)) - 1, count: 8 - heldBits) }
        unsafe buffer[position] = 0xff
        unsafe buffer[position + 1] = 0xd9
        return position + 2
    }
}
