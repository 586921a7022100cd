/// Reads numbers and boxes of an ISO base media file (ISO/IEC 14496-12, 4.2) from untrusted bytes. Reads beyond the end
/// return nil.
struct BoxReader {
    /// A box with its contents, without size and type.
    struct Box {
        let type: [UInt8]
        let contents: ArraySlice<UInt8>

        /// Version, flags, and the contents after them; nil for a shorter box.
        var full: (version: UInt8, flags: UInt32, contents: BoxReader)? {
            var reader = BoxReader(contents)
            guard let version = reader.number(1), let flags = reader.number(3) else { return nil }
            return (UInt8(truncatingIfNeeded: version), UInt32(truncatingIfNeeded: flags), reader)
        }
    }

    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// A big-endian unsigned number.
    ///
    /// - Parameter byteCount: 0…8.
    mutating func number(_ byteCount: Int) -> UInt64? {
        guard let bytes = bytes(byteCount) else { return nil }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    mutating func text() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }

    /// The next box; nil at the end, and for a box longer than the bytes.
    mutating func box() -> Box? {
        var ahead = self
        guard let size = ahead.number(4), let type = ahead.bytes(4) else { return nil }
        let length: UInt64?
        switch size {
        case 0: length = UInt64(ahead.rest.count)
        case 1: length = ahead.number(8).flatMap { $0 < 16 ? nil : $0 - 16 }
        default: length = size < 8 ? nil : size - 8
        }
        guard let length, let count = Int(exactly: length), let contents = ahead.bytes(count) else { return nil }
        self = ahead
        return Box(type: Array(type), contents: contents)
    }

    func first(_ type: StaticString) -> Box? {
        var reader = self
        while let box = reader.box() { if type.withUTF8Buffer({ unsafe box.type.elementsEqual($0) }) { return box } }
        return nil
    }
}
