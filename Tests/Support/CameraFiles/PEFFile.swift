package import PictureFormat
package import Pixels

/// A Pentax PEF: a directory for camera and samples, and a maker note with the code of differences.
package struct PEFFile: CustomStringConvertible, Sendable {
    package let bits: Int
    package var size = PixelSize(width: 640, height: 480)
    package var model = "PENTAX K-5"
    /// By the bits of a difference: the first bits of its code, of 12, and the code's length.
    package var codes: [(start: Int, length: Int)]

    package init(bits: Int) {
        self.bits = bits
        codes = Self.codes(counts: Self.usualCounts, categories: Self.usualCategories)
    }

    package var description: String { "\(bits) bits" }

    /// dcraw's code for cameras without their own, extended to 14 bits.
    private static let usualCounts = [0, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1, 2]
    private static let usualCategories = [3, 4, 2, 5, 1, 6, 0, 7, 8, 9, 10, 11, 12, 13, 14]

    /// A canonical prefix code.
    package static func codes(counts: [Int], categories: [Int]) -> [(start: Int, length: Int)] {
        var codes = [(start: Int, length: Int)](repeating: (0, 0), count: categories.count)
        var (start, next) = (0, 0)
        for (index, count) in counts.enumerated() {
            for _ in 0..<count {
                codes[categories[next]] = (start, index + 1)
                start += 1 << (11 - index)
                next += 1
            }
        }
        return codes
    }

    /// The whole file.
    ///
    /// - Parameter compression: 65535 for Pentax's own, 32773 for packed samples.
    package func file(_ samples: [UInt8], compression: Int = 65535) -> [UInt8] {
        CameraField.file(
            main: [.text(271, "PENTAX"), .text(272, model), .shorts(274, [1])],
            raw: {
                CameraField.sensor(size, bits: bits, compression: compression, at: $0, byteCount: samples.count)
            }, note: note, samples: samples)
    }

    private var note: [UInt8] {
        let table =
            CameraField.number(codes.count + 4, 2) + [UInt8](repeating: 0, count: 12)
            + codes.flatMap { CameraField.number($0.start, 2) } + codes.map { UInt8($0.length) }
        let fields: [CameraField] = [.shorts(0x201, [2048, 1024, 1024, 1536]), .undefined(0x220, table)]
        return Array("PENTAX \0II".utf8) + CameraField.laidOut(fields, at: 10)
    }

    package func stream(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var writer = CameraBits()
        var starts = [0, 0, 0, 0]
        for y in 0..<size.height {
            let row = plane.row(y)
            var last = [0, 0]
            for x in 0..<size.width {
                let place = 2 * (y & 1) + x
                let difference = Int(row[x]) - (x < 2 ? starts[place] : last[x & 1])
                last[x & 1] = Int(row[x])
                if x < 2 { starts[place] = Int(row[x]) }
                let category = Int.bitWidth - difference.magnitude.leadingZeroBitCount
                let code = codes[category]
                writer.put(code.start >> (12 - code.length), code.length)
                writer.putDifference(difference, category)
            }
        }
        return writer.finish()
    }
}
