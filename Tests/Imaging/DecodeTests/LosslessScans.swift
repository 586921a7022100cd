import Pixels
import Testing

@testable import Decode
@testable import DecodeKernels

/// Decodes lossless JPEGs without a surrounding file.
enum LosslessScans {
    enum Way {
        /// The decoder's choice.
        case fast
        /// One generic reader, which supports all forms.
        case generic
    }

    /// The samples of `count` scans with the same bytes, decoded together; nil for damaged data.
    static func decode(_ jpeg: [UInt8], count: Int, _ way: Way) throws -> [UInt16]? {
        try with(jpeg, count: count) { scans, plane in
            if way == .generic { for index in scans.indices { scans[index].fastForm = nil } }
            var decoder = LosslessJPEGDecoder()
            guard decoder.decode(scans) else { return nil }
            return (0..<plane.height).flatMap { y in (0..<plane.width).map { plane.row(y)[$0] } }
        }
    }

    static func with<Result>(
        _ jpeg: [UInt8], count: Int, _ body: (inout [LosslessJPEGScan], borrowing Plane<UInt16>) throws -> Result
    ) throws -> Result {
        try jpeg.withUnsafeBytes { bytes in
            let header = try LosslessJPEGHeader(bytes)
            let shape = try #require(
                LosslessJPEGShape(
                    width: header.width, height: header.height, components: header.components,
                    precision: header.precision, predictor: header.predictor))
            let plane = Plane<UInt16>(width: shape.samplesPerRow, height: count * shape.height)
            var cache = HuffmanTableCache(sixteenHasBits: false)
            var scans = try (0..<count).map { index in
                let slice = PlaneSlice(
                    x: 0, y: index * shape.height, width: shape.samplesPerRow, height: shape.height)
                let found = cache.tables(header.tables)
                let tables = try #require(found)
                let target = try #require(SliceTarget([slice], in: SampleArea(plane)))
                return try #require(
                    LosslessJPEGScan(
                        shape, entropyCoded: UnsafeRawBufferPointer(rebasing: bytes[header.dataOffset...]),
                        tables: tables, target: target))
            }
            return try body(&scans, plane)
        }
    }
}
