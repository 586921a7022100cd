/// Decodes lossless JPEGs (ITU-T T.81, process 14), one scan after another with the same buffers.
struct LosslessJPEGDecoder: ~Copyable {
    private var data = EntropyData()
    private var tables: [DifferenceTable] = []
    private var definitions: [[UInt8]] = []
    private let sixteenHasBits: Bool

    /// - Parameter sixteenHasBits: true for DNG before version 1.1.
    init(sixteenHasBits: Bool) { self.sixteenHasBits = sixteenHasBits }

    /// Decodes a whole scan.
    /// - Parameters:
    ///   - header: of `bytes`.
    ///   - row: gives where row `y` is to be written, `header.samplesPerRow` samples. It must keep the row before it
    ///     in place.
    /// - Returns: false where the data is damaged: an unknown code, a sample out of range, too few or too many bits.
    mutating func decode(
        _ bytes: UnsafeRawBufferPointer, _ header: LosslessJPEGHeader, row: (Int) -> UnsafeMutablePointer<UInt16>
    ) -> Bool {
        guard prepare(header) else { return false }
        let perRow = header.samplesPerRow
        data.load(
            UnsafeRawBufferPointer(rebasing: bytes[header.dataOffset...]),
            slack: perRow * DifferenceReader.mostBytesPerSample + DifferenceReader.slack)
        var reader = DifferenceReader(data)
        var above: UnsafeMutablePointer<UInt16>?
        for y in 0..<header.height {
            let samples = row(y)
            let bits = decodeRow(&reader, header, samples, above: above)
            guard bits >> Int32(header.precision) == 0, !reader.isBeyondEnd, !reader.metUnknownCode else {
                return false
            }
            above = samples
        }
        return reader.isSpent
    }

    private mutating func prepare(_ header: LosslessJPEGHeader) -> Bool {
        guard definitions != header.tables else { return true }
        var tables: [DifferenceTable] = []
        for definition in header.tables {
            guard let table = DifferenceTable(definition, sixteenHasBits: sixteenHasBits) else { return false }
            tables.append(table)
        }
        definitions = header.tables
        self.tables = tables
        return true
    }

    /// - Returns: all samples' bits joined, to see at once whether one is out of range.
    private func decodeRow(
        _ reader: inout DifferenceReader, _ header: LosslessJPEGHeader, _ samples: UnsafeMutablePointer<UInt16>,
        above: UnsafeMutablePointer<UInt16>?
    ) -> Int32 {
        let sharesTable = header.tables.allSatisfy { $0 == header.tables[0] }
        if header.components == 2, sharesTable, header.predictor == 1 || above == nil {
            let (after, bits) = decodePairs(reader, header, samples, above: above)
            reader = after
            return bits
        }
        return decodeAny(&reader, header, samples, above: above)
    }

    /// The usual case: two components, each predicted from its left neighbour. The reader comes and goes by value, so
    /// that it stays in registers.
    private func decodePairs(
        _ before: DifferenceReader, _ header: LosslessJPEGHeader, _ samples: UnsafeMutablePointer<UInt16>,
        above: UnsafeMutablePointer<UInt16>?
    ) -> (DifferenceReader, Int32) {
        let table = tables[0]
        return table.entries.withUnsafeBufferPointer { buffer in
            guard let entries = buffer.baseAddress else { return (before, -1) }
            var reader = before
            let start: Int32 = 1 << Int32(header.precision - 1)
            var first = above.map { Int32($0[0]) } ?? start
            var second = above.map { Int32($0[1]) } ?? start
            var bits: Int32 = 0
            for x in 0..<header.width {
                reader.refill()
                first &+= reader.difference(entries, table)
                second &+= reader.difference(entries, table)
                samples[2 * x] = UInt16(truncatingIfNeeded: first)
                samples[2 * x + 1] = UInt16(truncatingIfNeeded: second)
                bits |= first | second
            }
            return (reader, bits)
        }
    }

    private func decodeAny(
        _ reader: inout DifferenceReader, _ header: LosslessJPEGHeader, _ samples: UnsafeMutablePointer<UInt16>,
        above: UnsafeMutablePointer<UInt16>?
    ) -> Int32 {
        let components = header.components
        var bits: Int32 = 0
        for component in 0..<components {
            let start: Int32 = 1 << Int32(header.precision - 1)
            samples[component] = 0
            let predicted = above.map { Int32($0[component]) } ?? start
            let value = predicted &+ next(&reader, component)
            samples[component] = UInt16(truncatingIfNeeded: value)
            bits |= value
        }
        for x in stride(from: components, to: header.samplesPerRow, by: components) {
            for component in 0..<components {
                let place = x + component
                let left = Int32(samples[place - components])
                let predicted =
                    above.map {
                        prediction(
                            header.predictor, left: left, above: Int32($0[place]), corner: Int32($0[place - components])
                        )
                    } ?? left
                let value = predicted &+ next(&reader, component)
                samples[place] = UInt16(truncatingIfNeeded: value)
                bits |= value
            }
        }
        return bits
    }

    @inline(__always)
    private func next(_ reader: inout DifferenceReader, _ component: Int) -> Int32 {
        let table = tables[component]
        return table.entries.withUnsafeBufferPointer { buffer in
            guard let entries = buffer.baseAddress else { return 0 }
            reader.refill()
            return reader.difference(entries, table)
        }
    }

    /// T.81, table H.1.
    @inline(__always)
    private func prediction(_ predictor: Int, left: Int32, above: Int32, corner: Int32) -> Int32 {
        switch predictor {
        case 2: above
        case 3: corner
        case 4: left &+ above &- corner
        case 5: left &+ ((above &- corner) >> 1)
        case 6: above &+ ((left &- corner) >> 1)
        case 7: (left &+ above) >> 1
        default: left
        }
    }
}
