/// Encodes headers as one blob: for each header its name and its value, each preceded by its length as a little-endian
/// `UInt32`.
enum HeaderBytes {
    static func encode(_ headers: [Header]) -> [UInt8]? {
        guard !headers.isEmpty else { return nil }
        var bytes: [UInt8] = []
        for header in headers {
            for part in [Array(header.name.utf8), header.value] {
                let count = UInt32(truncatingIfNeeded: part.count)
                bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
                bytes += part
            }
        }
        return bytes
    }

    /// Decodes headers. Nil for bytes that `encode` never returns: the file is damaged.
    static func decode(_ bytes: [UInt8]) -> [Header]? {
        var rest = bytes[...]
        var headers: [Header] = []
        while !rest.isEmpty {
            guard let name = part(&rest), let value = part(&rest) else { return nil }
            headers.append(Header(name: String(decoding: name, as: UTF8.self), value: Array(value)))
        }
        return headers
    }

    private static func part(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.count >= 4 else { return nil }
        let count = bytes.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count - 4 >= count else { return nil }
        defer { bytes = bytes.dropFirst(4 + count) }
        return bytes.dropFirst(4).prefix(count)
    }
}
