internal import Metadata
internal import PictureFormat

/// A JPEG with its orientation, without other metadata: the camera's EXIF, which may state another orientation, maker
/// notes and thumbnail. The picture is copied unchanged.
enum UprightJPEG {
    /// - Parameters:
    ///   - jpeg: a whole file.
    ///   - orientation: rotation that makes the picture upright.
    /// - Returns: nil if the bytes are not a JPEG.
    static func made(of jpeg: [UInt8], orientation: Orientation) -> [UInt8]? {
        let kept = unsafe jpeg.withUnsafeBytes { bytes -> (segments: [Range<Int>], end: Int)? in
            guard var reader = unsafe JPEGSegmentReader(bytes) else { return nil }
            var (segments, end): ([Range<Int>], Int) = ([], 2)
            while let segment = reader.next() {
                end = segment.range.upperBound
                if unsafe isKept(segment, in: bytes) { segments.append(segment.range) }
            }
            return segments.isEmpty ? nil : (segments, end)
        }
        guard let kept else { return nil }
        var upright: [UInt8] = [0xFF, JPEGMarker.startOfImage.rawValue]
        upright.reserveCapacity(jpeg.count + exifBytes)
        upright += exif(orientation)
        for range in kept.segments { upright += jpeg[range] }
        upright += jpeg[kept.end...]
        return upright
    }

    private static let exifBytes = 36

    /// Whether a segment is needed to show the picture: coding tables, ICC profiles, and Adobe's note on the
    /// components.
    private static func isKept(_ segment: JPEGSegmentReader.Segment, in bytes: UnsafeRawBufferPointer) -> Bool {
        switch segment.marker.rawValue {
        case 0xE0, 0xEE: true
        case 0xE2: unsafe bytes[segment.payload].starts(with: Array("ICC_PROFILE\0".utf8))
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
    }

    /// An EXIF segment with one field (CIPA DC-008-2019, 4.6.4): Orientation, a SHORT.
    private static func exif(_ orientation: Orientation) -> [UInt8] {
        let tiff: [UInt8] =
            Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
            + [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0] + [0, 0, 0, 0]
        let content = Array("Exif\0\0".utf8) + tiff
        return [0xFF, JPEGMarker.app1.rawValue, 0, UInt8(content.count + 2)] + content
    }
}
