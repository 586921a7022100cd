/// A file that other programs may have written, of which some bytes are read.
///
/// Metadata is anywhere in a TIFF, and behind the pixels in some PNGs, so that the first bytes are not enough.
public struct PhotoBytes {
    /// Bytes from an offset on: fewer than asked for where the file ends, none where it cannot be read.
    private let source: (_ offset: UInt64, _ count: Int) -> [UInt8]

    /// - Parameter read: bytes from an offset on: fewer than asked for where the file ends, none where it cannot be
    ///   read.
    public init(read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]) { source = read }

    /// A file in memory.
    public init(_ bytes: [UInt8]) {
        source = { offset, count in
            guard let start = Int(exactly: offset), start < bytes.count else { return [] }
            return Array(bytes[start..<start + min(count, bytes.count - start)])
        }
    }

    /// The file's beginning, as far as it has so many bytes.
    func prefix(_ count: Int) -> [UInt8] { source(0, count) }

    /// Nil unless the file has all of the bytes.
    func read(_ offset: UInt64, _ count: Int) -> [UInt8]? {
        let bytes = source(offset, count)
        return bytes.count == count ? bytes : nil
    }
}
