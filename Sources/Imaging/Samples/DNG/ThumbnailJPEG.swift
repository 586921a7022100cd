internal import PictureFormat

/// A small preview of a scene: a baseline JPEG (ITU-T T.81) whose blocks of 8 × 8 pixels have one colour each, so that
/// it needs no cosine transform.
struct ThumbnailJPEG {
    let size: PixelSize
    let bytes: [UInt8]
    let scanHeader: Int

    /// - Parameters:
    ///   - scene: fills the picture.
    ///   - blocks: columns and rows of blocks.
    init(_ scene: SampleScene, blocks: PixelSize) {
        size = PixelSize(width: blocks.width * 8, height: blocks.height * 8)
        let head = Self.head(size)
        bytes = head + Self.scan(scene, blocks) + [0xff, 0xd9]
        scanHeader = head.count - 14
    }

    /// Lengths of the codes for a difference of 0 to 8 bits: T.81's for luminance (table K.3).
    private static let codeLengths: [UInt8] = [0, 1, 5, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    private static let codes: [(bits: UInt32, count: Int)] = [
        (0b00, 2), (0b010, 3), (0b011, 3), (0b100, 3), (0b101, 3), (0b110, 3), (0b1110, 4), (0b11110, 5), (0b111110, 6),
    ]

    private static func head(_ size: PixelSize) -> [UInt8] {
        func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
            [0xff, marker, UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 255)] + payload
        }
        let sides = [size.height, size.width].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        // A step of 8 makes the quantised mean that of the samples.
        let frame = [8] + sides + [3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        // One code, for "no more coefficients".
        let noCoefficients = [0x10, 1] + [UInt8](repeating: 0, count: 16)
        return [0xff, 0xd8] + segment(0xdb, [0] + [UInt8](repeating: 8, count: 64)) + segment(0xc0, frame)
            + segment(0xc4, [0] + codeLengths + (0...8)) + segment(0xc4, noCoefficients)
            + segment(0xda, [3, 1, 0, 2, 0, 3, 0, 0, 63, 0])
    }

    private static func scan(_ scene: SampleScene, _ blocks: PixelSize) -> [UInt8] {
        let painter = scene.painter(size: blocks)
        var writer = EntropyWriter()
        var last = [0, 0, 0]
        var light = [Float](repeating: 0, count: blocks.width * 3)
        for y in 0..<blocks.height {
            unsafe light.withUnsafeMutableBufferPointer { light in
                guard let start = light.baseAddress else { return }
                unsafe painter.paint(
                    row: y, red: start, green: start + blocks.width, blue: start + 2 * blocks.width)
            }
            for x in 0..<blocks.width {
                let colour = yCbCr(light[x], light[blocks.width + x], light[2 * blocks.width + x])
                for channel in 0..<3 {
                    writer.append(difference: colour[channel] - last[channel])
                    last[channel] = colour[channel]
                }
            }
        }
        return writer.finished()
    }

    /// Converts linear light, encoded by a square root, with T.81's level shift of 128.
    private static func yCbCr(_ red: Float, _ green: Float, _ blue: Float) -> [Int] {
        let (r, g, b) = (encoded(red), encoded(green), encoded(blue))
        let luma = 0.299 * r + 0.587 * g + 0.114 * b
        return [luma - 128, (b - luma) / 1.772, (r - luma) / 1.402].map { Int(min(max($0, -127), 127).rounded()) }
    }

    private static func encoded(_ light: Float) -> Float { min(max(light, 0), 1).squareRoot() * 255 }

    /// Writes bits, with a zero after each byte 0xff (T.81, F.1.2.3).
    private struct EntropyWriter {
        private var bytes: [UInt8] = []
        private var bits: UInt32 = 0
        private var count = 0

        /// Appends a block: the difference of its mean from the previous one, and no other coefficients.
        mutating func append(difference: Int) {
            let length = Int.bitWidth - difference.magnitude.leadingZeroBitCount
            let code = ThumbnailJPEG.codes[length]
            append(code.bits, code.count)
            append(UInt32(truncatingIfNeeded: difference < 0 ? difference - 1 : difference), length)
            append(0, 1)
        }

        private mutating func append(_ value: UInt32, _ length: Int) {
            for shift in (0..<length).reversed() {
                bits = bits << 1 | (value >> UInt32(shift) & 1)
                count += 1
                if count == 8 { flush() }
            }
        }

        private mutating func flush() {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            if bytes.last == 0xff { bytes.append(0) }
            (bits, count) = (0, 0)
        }

        mutating func finished() -> [UInt8] {
            while count > 0 { append(1, 1) }
            return bytes
        }
    }
}
