import Metadata
import PictureFormat
import Pixels

/// The part of a JPEG before its entropy-coded data, as written by TurboJPEG. The picture size can be replaced.
struct JPEGHead {
    let byteCount: Int
    /// Tables, frame and scan header, without SOI and the JFIF segment.
    private let segments: [UInt8]
    /// Offsets in `segments` of the frame's height and of the scan header.
    private let heightOffset: Int
    private let scanOffset: Int

    /// Nil if the JPEG's head is incomplete.
    init?(_ jpeg: UnsafeRawBufferPointer) {
        guard var reader = unsafe JPEGSegmentReader(jpeg) else { return nil }
        var first: Int?
        var height: Int?
        while let segment = reader.next() {
            if segment.marker != .app0, first == nil { first = segment.range.lowerBound }
            // The frame header holds precision, height and width, in this order.
            if segment.marker == .startOfBaselineFrame, segment.payload.count >= 5 {
                height = segment.payload.lowerBound + 1
            }
            guard segment.marker == .startOfScan else { continue }
            guard let first, let height else { return nil }
            byteCount = segment.range.upperBound
            segments = unsafe Array(jpeg[first..<segment.range.upperBound])
            heightOffset = height - first
            scanOffset = segment.range.lowerBound - first
            return
        }
        return nil
    }

    /// The head for a picture of another size.
    func whole(_ picture: PixelSize) -> [UInt8] { frame(picture) + segments[scanOffset...] }

    /// The head for a picture in strips, with the restart interval of one strip (ITU-T T.81, B.2.4.4).
    func whole(_ picture: PixelSize, restarting subsampling: JPEGSubsampling) -> [UInt8] {
        let unit = PixelSize(width: subsampling == .full ? 8 : 16, height: subsampling == .quarter ? 16 : 8)
        let interval = (picture.width + unit.width - 1) / unit.width * (PictureStrip.rows / unit.height)
        let restarts = [
            0xFF, 0xDD, 0, 4, UInt8(truncatingIfNeeded: interval >> 8), UInt8(truncatingIfNeeded: interval),
        ]
        return frame(picture) + restarts + segments[scanOffset...]
    }

    /// The segments before the scan header.
    private func frame(_ picture: PixelSize) -> [UInt8] {
        var frame = Array(segments[..<scanOffset])
        for (index, length) in [picture.height, picture.width].enumerated() {
            frame[heightOffset + 2 * index] = UInt8(truncatingIfNeeded: length >> 8)
            frame[heightOffset + 2 * index + 1] = UInt8(truncatingIfNeeded: length)
        }
        return frame
    }
}
