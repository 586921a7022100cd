package import PictureFormat
package import Pixels

/// A Fujifilm RAF: a header with its own directory, a JPEG with EXIF, and a TIFF with the samples.
package struct RAFFile: CustomStringConvertible, Sendable {
    package enum Sensor: Sendable {
        case xTrans, bayer
    }

    /// Bits of a stored sample: 14 or 16 if uncompressed.
    package let bits: Int
    package var sensor = Sensor.xTrans
    package var size = PixelSize(width: 640, height: 480)
    package var model = "X-T1"

    package init(bits: Int) { self.bits = bits }

    /// A file with compressed samples: multiples of 24 columns and of six rows.
    package init(compressed sensor: Sensor, bits: Int) {
        self.bits = bits
        self.sensor = sensor
        size = PixelSize(width: 1560, height: 96)
        model = sensor == .xTrans ? "X-T3" : bits == 16 ? "GFX 100" : "GFX 50S"
    }

    package var description: String { "\(sensor), \(bits) bits" }

    private static let headerBytes = 160

    package func file(_ samples: [UInt8]) -> [UInt8] {
        let jpeg = self.jpeg
        let directory = self.directory
        let places = (jpeg: Self.headerBytes, directory: Self.headerBytes + jpeg.count)
        let tiff = places.directory + directory.count
        var header = [UInt8](repeating: 0, count: Self.headerBytes)
        func put(_ bytes: [UInt8], at place: Int) { header.replaceSubrange(place..<place + bytes.count, with: bytes) }
        put(Array("FUJIFILMCCD-RAW 0201FF129502".utf8), at: 0)
        put(Array(model.utf8), at: 28)
        let before = tiffStart(samples.count)
        for (index, number) in [
            places.jpeg, jpeg.count, places.directory, directory.count, tiff, before.count + samples.count,
        ].enumerated() {
            put(Self.bigEndian(number, 4), at: 84 + 4 * index)
        }
        return header + jpeg + directory + before + samples
    }

    private static func bigEndian(_ number: Int, _ bytes: Int) -> [UInt8] {
        CameraField.number(number, bytes).reversed()
    }

    /// A minimal JPEG with the camera's names.
    private var jpeg: [UInt8] {
        let start: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
        let exif =
            Array("Exif".utf8) + [0, 0] + start
            + CameraField.laidOut([.text(271, "FUJIFILM"), .text(272, model), .shorts(274, [1])], at: 8)
        return [0xff, 0xd8, 0xff, 0xe1] + Self.bigEndian(exif.count + 2, 2) + exif + [0xff, 0xd9]
    }

    /// Sizes, the layout of the colours, and the white balance.
    private var directory: [UInt8] {
        func field(_ tag: Int, _ numbers: [Int]) -> [UInt8] {
            Self.bigEndian(tag, 2) + Self.bigEndian(2 * numbers.count, 2) + numbers.flatMap { Self.bigEndian($0, 2) }
        }
        // From the last to the first.
        let layout = Self.xTrans.reversed().map(\.rawValue)
        let fields =
            [field(0x100, [size.height, size.width]), field(0x121, [size.height, size.width])]
            + (sensor == .xTrans ? [Self.bigEndian(0x131, 2) + Self.bigEndian(36, 2) + layout] : [])
            + [field(0x2ff0, [302, 512, 302, 460])]
        return Self.bigEndian(fields.count, 4) + fields.joined()
    }

    /// The TIFF up to its samples.
    private func tiffStart(_ byteCount: Int) -> [UInt8] {
        func before(_ place: Int) -> [UInt8] {
            let start: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
            let outer = CameraField.laidOut([.longs(0xf000, [26])], at: 8)
            let inner = CameraField.laidOut(
                [
                    .longs(0xf001, [size.width]), .longs(0xf002, [size.height]), .longs(0xf003, [bits]),
                    .longs(0xf007, [place]), .longs(0xf008, [byteCount]), .longs(0xf00a, [1022]),
                ], at: 26)
            return start + outer + inner
        }
        return before(before(0).count)
    }

    private static let xTrans: [CFAColour] = [
        1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
    ].compactMap { CFAColour(rawValue: $0) }

    /// Layout of the colours.
    package var layout: SensorLayout {
        sensor == .xTrans ? .xTrans(Self.xTrans) : .bayer([.red, .green, .green, .blue])
    }

    // MARK: Samples

    /// The uncompressed samples as stored.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        guard bits == 14 else { return WholeSamplesFile.bytes(plane) }
        return CameraBits.words(plane, bits: 14)
    }

    private static let stripWidth = 768

    package var stripCount: Int { (size.width + Self.stripWidth - 1) / Self.stripWidth }

    /// The lossless codes of each strip.
    package func strips(_ plane: borrowing Plane<UInt16>) -> [[UInt8]] {
        let decoded = Plane<UInt16>(width: size.width, height: size.height)
        let rows = [UInt8](repeating: 0, count: size.height / 6)
        return strips(plane, tolerances: [[UInt8]](repeating: rows, count: stripCount), decoded: decoded)
    }

    /// The codes of each strip.
    ///
    /// - Parameters:
    ///   - tolerances: maximum errors of samples, by strip and six rows.
    ///   - decoded: receives the decoders' result.
    package func strips(
        _ plane: borrowing Plane<UInt16>, tolerances: [[UInt8]], decoded: borrowing Plane<UInt16>
    ) -> [[UInt8]] {
        var strips: [[UInt8]] = []
        let period = sensor == .xTrans ? 6 : 2
        for strip in 0..<stripCount {
            // Beyond the sensor, its last columns are repeated.
            let columns = (0..<Self.stripWidth).map { column in
                let x = strip * Self.stripWidth + column
                return x < size.width ? x : size.width - period + x % period
            }
            var writer = RAFStripWriter(bits: bits, isXTrans: sensor == .xTrans)
            for y in stride(from: 0, to: size.height, by: 6) {
                let rows = (y..<y + 6).map { y in
                    let row = plane.row(y)
                    return columns.map { Int(row[$0]) }
                }
                let coded = writer.put(rows, tolerance: Int(tolerances[strip][y / 6])) { row, column in
                    switch layout {
                    case .xTrans(let pattern): Int(pattern[row * 6 + column % 6].rawValue)
                    case .bayer(let pattern): Int(pattern[row % 2 * 2 + column % 2].rawValue)
                    case .monochrome, .linearRGB: 1
                    }
                }
                let start = strip * Self.stripWidth
                for (row, samples) in coded.enumerated() {
                    for (column, sample) in samples.prefix(size.width - start).enumerated() {
                        decoded.row(y + row)[start + column] = UInt16(sample)
                    }
                }
            }
            strips.append(writer.finish())
        }
        return strips
    }

    /// The strips after their header.
    ///
    /// - Parameter tolerances: nil for lossless strips.
    package func samples(_ strips: [[UInt8]], tolerances: [[UInt8]]? = nil) -> [UInt8] {
        let number = Self.bigEndian
        let header =
            [0x49, 0x53, tolerances == nil ? 1 : 0, sensor == .xTrans ? 16 : 0, UInt8(bits)] + number(size.height, 2)
            + number(stripCount * Self.stripWidth, 2) + number(size.width, 2) + number(Self.stripWidth, 2)
            + [UInt8(stripCount)] + number(size.height / 6, 2)
        func padded(_ bytes: [UInt8]) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
        }
        let sizes = padded(strips.flatMap { number($0.count, 4) })
        return header + sizes + (tolerances ?? []).flatMap(padded) + strips.joined()
    }
}
