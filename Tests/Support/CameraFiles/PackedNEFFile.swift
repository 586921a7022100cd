package import PictureFormat
package import Pixels

/// An uncompressed 12-bit Nikon NEF: two samples in three bytes.
package struct PackedNEFFile: Sendable {
    package var size = PixelSize(width: 640, height: 480)

    package init() {}

    package func file(_ samples: [UInt8]) -> [UInt8] {
        CameraField.file(
            main: [.text(271, "NIKON CORPORATION"), .text(272, "NIKON D90"), .shorts(274, [1])],
            raw: {
                CameraField.sensor(size, bits: 12, compression: 1, at: $0, byteCount: samples.count)
            }, note: NEFFile.note([]), samples: samples)
    }

    /// The stored samples.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size.pixelCount / 2 * 3)
        for y in 0..<size.height {
            let row = plane.row(y)
            for x in stride(from: 0, to: size.width, by: 2) {
                let (first, second) = (row[x], row[x + 1])
                bytes += [
                    UInt8(truncatingIfNeeded: first >> 4), UInt8(truncatingIfNeeded: first << 4 | second >> 8),
                    UInt8(truncatingIfNeeded: second),
                ]
            }
        }
        return bytes
    }
}
