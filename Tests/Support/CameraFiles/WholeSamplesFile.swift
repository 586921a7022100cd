package import PictureFormat
package import Pixels

/// An uncompressed NEF or ARW with 14-bit samples in 16 bits each.
package struct WholeSamplesFile: CustomStringConvertible, Sendable {
    package enum Maker: String, CaseIterable, Sendable {
        case nikon, sony
    }

    package let maker: Maker
    package var size = PixelSize(width: 640, height: 480)

    package init(_ maker: Maker) { self.maker = maker }

    package var description: String { maker.rawValue }

    package func file(_ samples: [UInt8]) -> [UInt8] {
        let names =
            switch maker {
            case .nikon: ("NIKON CORPORATION", "NIKON D300")
            case .sony: ("SONY", "ILCE-7M2")
            }
        return CameraField.file(
            main: [.text(271, names.0), .text(272, names.1), .shorts(274, [1])],
            raw: {
                CameraField.sensor(
                    size, bits: maker == .nikon ? 16 : 14, compression: 1, at: $0, byteCount: samples.count)
                    + (maker == .sony ? [.shorts(0x7313, [2400, 1024, 1024, 1600])] : [])
            }, note: maker == .nikon ? NEFFile.note([]) : nil, samples: samples)
    }

    /// The stored samples.
    package func samples(_ plane: borrowing Plane<UInt16>) -> [UInt8] { Self.bytes(plane) }

    /// Samples of 16 bits each.
    static func bytes(_ plane: borrowing Plane<UInt16>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(plane.width * plane.height * 2)
        for y in 0..<plane.height {
            for x in 0..<plane.width {
                bytes.append(UInt8(truncatingIfNeeded: plane.row(y)[x]))
                bytes.append(UInt8(plane.row(y)[x] >> 8))
            }
        }
        return bytes
    }
}
