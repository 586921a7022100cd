package import PictureFormat
package import Pixels

/// A 12-bit Olympus ORF: compressed, or uncompressed in one of two forms.
package struct ORFFile: CustomStringConvertible, Sendable {
    package enum Form: String, CaseIterable, Sendable {
        case compressed, words, padded
    }

    package let form: Form
    package var size = PixelSize(width: 640, height: 480)
    package var model = "E-M5"

    /// Period of samples whose difference is 65,536 too large, which is the same sample modulo 2¹⁶; 0 for none.
    package var detour = 0

    package init(_ form: Form) { self.form = form }

    package var description: String { form.rawValue }

    package func file(_ samples: [UInt8]) -> [UInt8] {
        return CameraField.file(
            main: [.text(271, "OLYMPUS IMAGING CORP."), .text(272, model), .shorts(274, [1])],
            raw: {
                CameraField.sensor(
                    size, bits: form == .compressed ? 16 : 12, compression: 1, at: $0,
                    byteCount: samples.count)
            }, note: Self.note, samples: samples, magic: 0x4f52)
    }

    /// A maker note with a white balance, to avoid estimating one.
    private static var note: [UInt8] {
        Array("OLYMPUS\0II".utf8) + [3, 0]
            + CameraField.laidOut([.shorts(0x1017, [512, 64]), .shorts(0x1018, [384, 64])], at: 12)
    }

    /// The stored samples.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        switch form {
        case .compressed: compressed(plane)
        case .words: CameraBits.words(plane, bits: 12)
        case .padded: padded(plane)
        }
    }

    private func compressed(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var writer = CameraBits()
        for y in 0..<size.height {
            let row = plane.row(y)
            let above = y < 2 ? nil : plane.row(y - 2)
            var sizes = [OlympusSize(), OlympusSize()]
            for x in 0..<size.width {
                let predicted = Self.prediction(
                    west: x < 2 ? nil : Int(row[x - 2]), north: above.map { Int($0[x]) },
                    northWest: x < 2 ? nil : above.map { Int($0[x - 2]) })
                let isDetour = detour > 0 && (y * size.width + x) % detour == detour - 1
                sizes[x & 1].write(Int(row[x]) - predicted + (isDetour ? 1 << 16 : 0), to: &writer)
            }
        }
        return [UInt8](repeating: 0, count: 7) + writer.finish()
    }

    private static func prediction(west: Int?, north: Int?, northWest: Int?) -> Int {
        guard let west, let north, let northWest else { return west ?? north ?? 0 }
        let isBetween = west < northWest && northWest < north || north < northWest && northWest < west
        guard isBetween else { return abs(west - northWest) > abs(north - northWest) ? west : north }
        let isSteep = abs(west - northWest) > 32 || abs(north - northWest) > 32
        return isSteep ? west + north - northWest : (west + north) >> 1
    }

    private func padded(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount * 8 / 5)
        for y in 0..<size.height {
            for x in stride(from: 0, to: size.width, by: 10) {
                bytes += CameraGroup.bytes((0..<10).map { (Int(plane.row(y)[x + $0]), 12) })
            }
        }
        return bytes
    }
}

/// State of Olympus's compression for one half of a row's columns.
private struct OlympusSize {
    private var last = 0
    private var mean = 0
    private var smallOnes = 0

    mutating func write(_ difference: Int, to writer: inout CameraBits) {
        let extra = smallOnes < 3 ? 2 : 0
        var count = 2 + extra
        while (last & 0xffff) >> (count + extra) > 0 { count += 1 }
        let rest = (difference >> 2) - mean
        let magnitude = rest < 0 ? ~rest : rest
        writer.put((rest < 0 ? 4 : 0) | difference & 3, 3)
        let high = magnitude >> count
        if high < 12 {
            writer.put(1, high + 1)
        } else {
            writer.put(0, 12)
            writer.put(high << 1, 16 - count)
        }
        writer.put(magnitude & (1 << count - 1), count)
        last = magnitude
        mean = ((difference >> 2) * 3 + mean) >> 5
        smallOnes = last > 16 ? 0 : smallOnes + 1
    }
}
