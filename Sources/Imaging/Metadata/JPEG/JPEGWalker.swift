/// Walks over the segments that stand before a JPEG's image data (ITU-T T.81, annex B).
///
/// The bytes may be anything: nothing is read beyond them, and each step goes forward.
public struct JPEGWalker {
    /// Bytes of a file that hold its EXIF and its XMP whole, where these come first: SOI and two full segments.
    public static let prefixByteCount = 2 + 2 * (2 + 65_535)

    public struct Segment {
        /// Second byte of the marker, for example 0xE1 for APP1.
        public let marker: UInt8
        /// Without marker and length.
        public let payload: ArraySlice<UInt8>
    }

    private let bytes: [UInt8]
    private var place = 2
    /// True once a segment was announced that the bytes do not hold whole.
    public private(set) var wasCutOff = false

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var isJPEG: Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

    /// The next segment; nil at the image data, at the end of the bytes, and where they are no JPEG.
    public mutating func next() -> Segment? {
        guard isJPEG, !wasCutOff else { return nil }
        // Any number of 0xFF may stand before a marker.
        while place + 1 < bytes.count, bytes[place] == 0xFF, bytes[place + 1] == 0xFF { place += 1 }
        guard place + 4 <= bytes.count else {
            wasCutOff = true
            return nil
        }
        let marker = bytes[place + 1]
        let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
        guard bytes[place] == 0xFF, (0xC0...0xFE).contains(marker), length >= 2 else { return nil }
        // Start of scan and end of image end the metadata; the other bare markers have no place here.
        guard !(0xD0...0xDA).contains(marker) else { return nil }
        let end = place + 2 + length
        guard end <= bytes.count else {
            wasCutOff = true
            return nil
        }
        defer { place = end }
        return Segment(marker: marker, payload: bytes[(place + 4)..<end])
    }
}

extension JPEGWalker.Segment {
    private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// The XMP packet of an APP1 segment; nil for any other segment.
    public var xmpPacket: ArraySlice<UInt8>? { content(after: Self.xmpSignature) }

    /// The TIFF structure of an EXIF APP1 segment; nil for any other segment.
    public var exif: ArraySlice<UInt8>? { content(after: RenditionExif.signature) }

    private func content(after signature: [UInt8]) -> ArraySlice<UInt8>? {
        marker == 0xE1 && payload.starts(with: signature) ? payload.dropFirst(signature.count) : nil
    }
}
