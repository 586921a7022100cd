import Metadata
import PictureFormat

/// A JPEG's headers up to its frame header (ITU-T T.81, annex B; CIPA DC-008-2019 for EXIF).
struct JPEGOutline {
    /// Cameras write fewer segments before the picture.
    private static let maxSegments = 256

    let size: PixelSize
    /// Whether the picture is one scan of Huffman-coded 8-bit samples, so that size and bytes limit time and memory. A
    /// progressive JPEG of a few bytes can require hundreds of passes.
    let isSequential: Bool
    /// Whether common programs show the picture: Huffman-coded 8-bit samples in one or several scans.
    let isCommon: Bool
    let exif: Range<Int>?

    /// Nil for other bytes, and for a JPEG that ends before its size.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
        var exif: Range<Int>?
        for _ in 0..<Self.maxSegments {
            guard let segment = segments.next() else { return nil }
            guard segment.marker.isStartOfFrame else {
                exif = exif ?? segments.exif(of: segment).flatMap { $0.isEmpty ? nil : $0 }
                continue
            }
            guard let frame = segments.frameHeader(of: segment), frame.width > 0, frame.height > 0 else { return nil }
            size = PixelSize(width: frame.width, height: frame.height)
            isSequential =
                [.startOfBaselineFrame, .startOfSequentialFrame].contains(segment.marker) && frame.precision == 8
            isCommon = isSequential || segment.marker == .startOfProgressiveFrame && frame.precision == 8
            self.exif = exif
            return
        }
        return nil
    }
}
