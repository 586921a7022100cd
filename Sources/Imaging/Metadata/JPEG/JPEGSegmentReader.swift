public import TIFF

/// Reads the segments before a JPEG's entropy-coded data, including the scan header (ITU-T T.81, annex B).
///
/// The bytes are untrusted: reads are bounds-checked, and each step advances. The bytes must outlive the reader.
public struct JPEGSegmentReader {
    /// One segment, as ranges in the bytes.
    public struct Segment {
        /// Kind of the segment.
        public let marker: JPEGMarker
        /// From the marker's 0xFF to the end of the payload.
        public let range: Range<Int>
        /// Payload, without marker and length.
        public let payload: Range<Int>
    }

    /// The file's bytes.
    public let bytes: ByteReader
    /// Whether a segment was longer than the remaining bytes.
    public private(set) var isCutOff = false
    private var offset = 2
    private var isAtImageData = false

    /// Nil if the bytes do not begin as a JPEG.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = unsafe ByteReader(bytes, .bigEndian)
        guard self.bytes.uint16(0) == 0xFFD8, self.bytes.uint8(2) == 0xFF else { return nil }
    }

    /// The next segment; nil after the scan header, at the end of the bytes, and if no segment follows.
    public mutating func next() -> Segment? {
        guard !isCutOff, !isAtImageData else { return nil }
        // Any number of fill bytes 0xFF may precede a marker (B.1.1.2).
        while bytes.uint16(offset) == 0xFFFF { offset += 1 }
        guard let first = bytes.uint8(offset), let code = bytes.uint8(offset + 1),
            let length = bytes.uint16(offset + 2).map({ Int($0) })
        else {
            isCutOff = true
            return nil
        }
        let marker = JPEGMarker(rawValue: code)
        guard first == 0xFF, marker.hasSegment, length >= 2 else { return nil }
        isAtImageData = marker == .startOfScan
        let range = offset..<offset + 2 + length
        guard bytes.contains(range) else {
            isCutOff = !isAtImageData
            return nil
        }
        offset = range.upperBound
        return Segment(marker: marker, range: range, payload: range.lowerBound + 4..<range.upperBound)
    }
}

extension JPEGSegmentReader {
    /// The TIFF structure of an EXIF segment; nil for any other segment.
    public func exif(of segment: Segment) -> Range<Int>? { content(of: segment, after: "Exif\0\0") }

    /// The packet of an XMP segment; nil for any other segment.
    public func xmpPacket(of segment: Segment) -> Range<Int>? {
        content(of: segment, after: "http://ns.adobe.com/xap/1.0/\0")
    }

    /// The frame header of a start-of-frame segment; nil for other and truncated segments.
    public func frameHeader(of segment: Segment) -> JPEGFrameHeader? {
        let start = segment.payload.lowerBound
        guard segment.marker.isStartOfFrame, segment.payload.count >= 5, let precision = bytes.uint8(start),
            let height = bytes.uint16(start + 1), let width = bytes.uint16(start + 3)
        else { return nil }
        return JPEGFrameHeader(precision: Int(precision), width: Int(width), height: Int(height))
    }

    func content(
        of segment: Segment, after signature: StaticString, marker: JPEGMarker = .app1
    ) -> Range<Int>? {
        let start = segment.payload.lowerBound + signature.utf8CodeUnitCount
        guard segment.marker == marker, start <= segment.payload.upperBound,
            bytes.starts(with: signature, at: segment.payload.lowerBound)
        else { return nil }
        return start..<segment.payload.upperBound
    }
}

/// The first fields of a JPEG's frame header (ITU-T T.81, B.2.2).
public struct JPEGFrameHeader: Hashable, Sendable {
    /// Bits per sample.
    public let precision: Int
    /// Pixels; may be 0 in a damaged file.
    public let width: Int
    /// Pixels; 0 if the file states it after the first scan.
    public let height: Int
}
