package import PictureFormat
package import Pixels

/// A Sony ARW of version 2 with compressed samples: a directory for the camera, and one for the samples.
package struct ARWFile: Sendable {
    package var size = PixelSize(width: 640, height: 96)
    package var model = "ILCE-7M2"
    /// Points of the curve, as stated in the file.
    package var curve = [8000, 10400, 12900, 14100]

    package init() {}

    /// The whole file.
    ///
    /// - Parameter samples: one byte per sample.
    package func file(_ samples: [UInt8]) -> [UInt8] {
        CameraField.file(
            main: [.text(271, "SONY"), .text(272, model), .shorts(274, [1]), .text(306, "2016:05:01 08:00:00")],
            raw: { place in
                [
                    .longs(254, [0]), .longs(256, [size.width]), .longs(257, [size.height]), .shorts(258, [12]),
                    .shorts(259, [32767]), .shorts(262, [32803]), .longs(273, [place]), .shorts(277, [1]),
                    .longs(278, [size.height]), .longs(279, [samples.count]), .shorts(0x7010, curve),
                    .shorts(0x7313, [2400, 1024, 1024, 1600]), .shorts(33421, [2, 2]), .bytes(33422, [0, 1, 1, 2]),
                ]
            }, samples: samples)
    }

    /// Compresses 14-bit samples, with a small loss.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount)
        let values = inverseCurve
        for y in 0..<size.height {
            for block in 0..<size.width / 16 {
                let left = block / 2 * 32 + block % 2
                bytes += Self.block((0..<16).map { values[Int(plane.row(y)[left + 2 * $0])] })
            }
        }
        return bytes
    }

    /// The 11-bit code of each 14-bit sample: the curve has steps of 1, 2, 4, 8 and 16.
    private var inverseCurve: [Int] {
        let bends = [0] + curve.map { $0 >> 2 } + [4095]
        var values: [Int] = [0]
        for step in 0..<5 {
            for index in bends[step]..<max(bends[step], bends[step + 1]) {
                values += [Int](repeating: min(index / 2, 2047), count: 1 << step)
            }
        }
        return values + [Int](repeating: 2047, count: max(0, 16_384 - values.count))
    }

    private static func block(_ values: [Int]) -> [UInt8] {
        let (greatest, least) = (values.max() ?? 0, values.min() ?? 0)
        let greatestPlace = values.firstIndex(of: greatest) ?? 0
        let leastPlace = values.lastIndex(of: least) ?? 0
        let shift = (0..<4).first { 0x80 << $0 > greatest - least } ?? 4
        var bits = UInt128(greatest | least << 11 | greatestPlace << 22 | leastPlace << 26)
        var place = 30
        for (index, value) in values.enumerated() where index != greatestPlace && index != leastPlace {
            bits |= UInt128(min((value - least) >> shift, 0x7f)) << UInt128(place)
            place += 7
        }
        return (0..<16).map { UInt8(truncatingIfNeeded: bits >> UInt128(8 * $0)) }
    }
}
