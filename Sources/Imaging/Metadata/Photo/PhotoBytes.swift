/// Random access to the bytes of an untrusted file. Metadata is anywhere in a TIFF, and after the pixels in some PNGs,
/// so the file's start does not suffice.
public struct PhotoBytes {
    private let source: (_ offset: UInt64, _ count: Int) -> [UInt8]

    /// - Parameter read: returns bytes from an offset on: fewer at the end of the file, none if reading fails.
    public init(read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]) { source = read }

    /// Reads from memory.
    public init(_ bytes: [UInt8]) {
        source = { offset, count in
            guard let start = Int(exactly: offset), start < bytes.count else { return [] }
            return Array(bytes[start..<start + min(count, bytes.count - start)])
        }
    }

    /// The first `count` bytes; fewer for a shorter file.
    func prefix(_ count: Int) -> [UInt8] { source(0, count) }

    /// Nil unless the file contains all of the bytes.
    func read(_ offset: UInt64, _ count: Int) -> [UInt8]? {
        let bytes = source(offset, count)
        return bytes.count == count ? bytes : nil
    }
}
