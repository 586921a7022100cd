/// Index of a file with two JPEGs, a photo and then its gain map (CIPA DC-007-2021, Multi-Picture Format, 5.2): the
/// last APP2 segment of the photo. Offsets count from within the index, so only sizes depend on the data before it.
public struct MultiPictureIndex {
    /// Signature of the segment.
    public static let signature = Array("MPF\0".utf8)
    /// Bytes after the signature.
    public static let byteCount = 82
    /// Position of the photo's size in the content.
    private static let firstSize = 54

    /// Size of the photo in bytes, from its first byte to its EOI.
    public var photoBytes: Int
    /// Size of the gain map in bytes.
    public var mapBytes: Int

    /// Creates a value from its properties.
    public init(photoBytes: Int, mapBytes: Int) {
        self.photoBytes = photoBytes
        self.mapBytes = mapBytes
    }

    /// The segment's content after its signature.
    ///
    /// - Parameter offset: of the content's first byte in the file.
    public func content(at offset: Int) -> [UInt8] {
        Self.fixed
            // The primary picture, a baseline JPEG, whose offset is 0 by definition.
            + Self.bytes(0x03_0000) + Self.bytes(photoBytes) + Self.bytes(0) + Self.bytes(0)
            // A JPEG of undefined type.
            + Self.bytes(0) + Self.bytes(mapBytes) + Self.bytes(photoBytes - offset) + Self.bytes(0)
    }

    /// A TIFF header and a directory: version 0100, two pictures, and their 32 bytes of entries.
    private static let fixed: [UInt8] =
        Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 3] + [0xB0, 0x00, 0, 7, 0, 0, 0, 4] + Array("0100".utf8)
        + [0xB0, 0x01, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2] + [0xB0, 0x02, 0, 7, 0, 0, 0, 32, 0, 0, 0, 50] + [0, 0, 0, 0]

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Finds the index in a file written by Rawmill.
    ///
    /// - Returns: the index and the range of its content; nil if there is none.
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

    /// Corrects the index after the photo before the map grew or shrank.
    static func adjust(_ file: inout [UInt8]) {
        guard let found = find(in: file), found.index.mapBytes < file.count else { return }
        let index = MultiPictureIndex(photoBytes: file.count - found.index.mapBytes, mapBytes: found.index.mapBytes)
        file.replaceSubrange(found.content, with: index.content(at: found.content.lowerBound))
    }

    /// Size of a photo's gain map in bytes; nil without one.
    public static func mapBytes(in file: [UInt8]) -> Int? { find(in: file)?.index.mapBytes }
}
