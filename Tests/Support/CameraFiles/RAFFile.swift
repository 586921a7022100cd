package import PictureFormat
package import Pixels

/// A Fujifilm RAF without compression: a header with a directory of its own, a JPEG with EXIF, and a TIFF with the samples, of
/// an X-Trans sensor.
package struct RAFFile: CustomStringConvertible, Sendable {
    /// Of a sample as it is stored: 14 or 16.
    package let bits: Int
    package var size = PixelSize(width: 640, height: 480)
    package var model = "X-T1"

    package init(bits: Int) { self.bits = bits }

    package var description: String { "\(bits) bits" }

    private static let headerBytes = 160

    /// The whole file.
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

    /// The smallest JPEG that has the camera's names.
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
        let layout: [UInt8] = [
            1, 1, 0, 1, 1, 2, 1, 1, 2, 1, 1, 0, 2, 0, 1, 0, 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 0, 2, 1, 2, 0, 1,
        ]
        let fields = [
            field(0x100, [size.height, size.width]), field(0x121, [size.height, size.width]),
            Self.bigEndian(0x131, 2) + Self.bigEndian(36, 2) + layout, field(0x2ff0, [302, 512, 302, 460]),
        ]
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

    /// The samples as they are stored.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        guard bits == 14 else { return WholeSamplesFile.bytes(plane) }
        return CameraBits.words(plane, bits: 14)
    }
}
