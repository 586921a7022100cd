import Manifests

/// Checks before a packet is passed to the XMP library.
///
/// The library parses recursively, so deep nesting would overflow the stack. It also accepts UTF-16 and UTF-32, which
/// real files do not use and these checks do not cover.
enum PacketValidation {
    /// Sidecars with long edit histories have several hundred kilobytes.
    static let byteLimit = 4 << 20
    static let depthLimit = 64

    static func check(_ packet: [UInt8]) throws(XMPError) {
        guard !packet.isEmpty else { throw .noPacket }
        guard packet.count <= byteLimit else { throw .tooLarge(bytes: packet.count, limit: byteLimit) }
        guard !packet.contains(0), String(validating: packet, as: UTF8.self) != nil else { throw .notUTF8 }
        var scanner = MarkupScanner(bytes: packet)
        var depth = 0
        while let markup = scanner.next() {
            switch markup {
            case .opening: depth += 1
            case .closing: depth = max(0, depth - 1)
            case .documentType: throw .hasDocumentType
            }
            guard depth <= depthLimit else { throw .tooDeep(limit: depthLimit) }
        }
    }
}

/// Finds the tags of XML text. The parser checks whether the text is well-formed.
struct MarkupScanner {
    enum Markup: Equatable {
        case opening, closing, documentType
    }

    private let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next tag that changes the nesting depth, or a document type; nil at the end.
    mutating func next() -> Markup? {
        while let start = find([UInt8(ascii: "<")], from: offset) {
            offset = start + 1
            if skip("!--", until: "-->") || skip("![CDATA[", until: "]]>") || skip("?", until: "?>") { continue }
            if startsHere("!") { return .documentType }
            let isClosing = startsHere("/")
            let isEmpty = skipTag()
            if isClosing { return .closing }
            if !isEmpty { return .opening }
        }
        return nil
    }

    private func startsHere(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func skip(_ opening: String, until closing: String) -> Bool {
        guard startsHere(opening) else { return false }
        let end = Array(closing.utf8)
        offset = find(end, from: offset + opening.utf8.count).map { $0 + end.count } ?? bytes.count
        return true
    }

    /// Skips to the end of the tag, past quoted values.
    ///
    /// - Returns: true for an empty element, `<a/>`.
    private mutating func skipTag() -> Bool {
        var quote: UInt8?
        var last: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return last == UInt8(ascii: "/")
            }
            last = byte
        }
        return false
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        var start = min(start, bytes.count)
        while let offset = bytes[start...].firstIndex(of: pattern[0]) {
            if bytes[offset...].starts(with: pattern) { return offset }
            start = offset + 1
        }
        return nil
    }
}
