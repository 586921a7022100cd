public import Metadata
import PictureFormat
public import Pixels

/// Encodes a gain map as the second JPEG of an Ultra HDR photo.
public enum GainMapEncoder {
    /// The map has steps of a hundredth of a stop; this quality preserves them.
    static let quality = 90

    /// - Parameters:
    ///   - map: at most 65,500 samples a side.
    ///   - description: what its samples mean.
    /// - Returns: a greyscale JPEG.
    /// - Throws: `EncodeError`.
    public static func encode(
        _ map: borrowing Plane<UInt8>, _ description: GainMapDescription
    ) throws(EncodeError) -> [UInt8] {
        guard map.width <= 65_500, map.height <= 65_500 else { throw .tooLarge(map.size) }
        let segments = JPEGSegments(
            exif: nil, xmp: description.packet, isTagged: false, gainMap: .own(description.isoMetadata))
        let header = try segments.header(profile: nil)
        var buffer = OutputBuffer()
        let base = try unsafe buffer.reserve(header.count + TurboHandle.greyWorstCase(map.size))
        let byteCount = try unsafe TurboHandle().compress(grey: map, quality: quality, output: base + header.count)
        let file = try unsafe JPEGEncoder.replaceHead(base, header: header, byteCount: byteCount)
        return unsafe Array(UnsafeRawBufferPointer(start: base + file.lowerBound, count: file.count))
    }
}
