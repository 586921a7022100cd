/// The index of a file of two JPEGs, a photo and its gain map, one after the other (CIPA DC-007-2021, Multi-Picture
/// Format, 5.2): an APP2 segment of the photo, after all others. Places count from within it, so that only sizes change
/// with what is before it.
public struct MultiPictureIndex {
    /// Begins the segment.
    public static let signature = Array("MPF\0".utf8)
    /// Bytes after the signature.
    public static let byteCount = 82
    /// Places count from here: the index's TIFF header.
    private static let firstSize = 54

    /// Of the photo, from its first byte to its EOI.
    public var photoBytes: Int
    /// Of the gain map.
    public var mapBytes: Int

    /// Creates a value from its properties.
    public init(photoBytes: Int, mapBytes: Int) {
        self.photoBytes = photoBytes
        self.mapBytes = mapBytes
    }

    /// The segment's content after its signature.
    ///
    /// - Parameter offset: in the file, of the content's first byte.
    public func content(at offset: Int) -> [UInt8] {
        Self.fixed
            // The primary picture, of baseline JPEG, whose place is 0 by definition.
            + Self.bytes(0x03_0000) + Self.bytes(photoBytes) + Self.bytes(0) + Self.bytes(0)
            // Another JPEG, that no type fits.
            + Self.bytes(0) + Self.bytes(mapBytes) + Self.bytes(photoBytes - offset) + Self.bytes(0)
    }

    /// A TIFF header and a directory: version 0100, two pictures, and their 32 bytes.
    private static let fixed: [UInt8] =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 3] + [0xB0, 0x00, 0, 7, 0, 0, 0, 4] + Array("0100".utf8)
        + [0xB0, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2] + [0xB0, 0x02, 0, 7, 0, 0, 0, 32, 0, 0, 0, 50] + [0, 0, 0, 0]

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// The index in a file that Rawmill wrote; nil if there is none.
    ///
    /// - Returns: the index, and where its content is.
    static func find(in file: [UInt8]) -> (index: MultiPictureIndex, content: Range<Int>)? {
        let content = unsafe file.withUnsafeBytes { bytes -> Range<Int>? in
            guard var segments = unsafe JPEGSegmentReader(bytes) else { return nil }
            while let segment = segments.next() {
                if let found = segments.content(of: segment, after: "MPF\0", marker: .app2) { return found }
            }
            return nil
        }
        guard let content, content.count == byteCount, file[content].starts(with: fixed) else { return nil }
        func number(_ offset: Int) -> Int {
            file[(content.lowerBound + offset)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        return (MultiPictureIndex(photoBytes: number(firstSize), mapBytes: number(firstSize + 16)), content)
    }

    /// Makes the index true again after the photo grew or shrank before it.
    static func adjust(_ file: inout [UInt8]) {
        guard let found = find(in: file), found.index.mapBytes < file.count else { return }
        let index = MultiPictureIndex(photoBytes: file.count - found.index.mapBytes, mapBytes: found.index.mapBytes)
        file.replaceSubrange(found.content, with: index.content(at: found.content.lowerBound))
    }

    /// Bytes of a photo's gain map; nil for a photo without one.
    public static func mapBytes(in file: [UInt8]) -> Int? { find(in: file)?.index.mapBytes }
}
