public import Storage
public import Web

/// A file as a response: whole, a range (RFC 9110, 14.2), or "not modified".
public struct FileResponse {
    private let file: OpenFile
    private let contentType: String
    private let tag: String
    private let name: String?
    private let isImmutable: Bool

    /// - Parameters:
    ///   - tag: changes with the content; letters and digits.
    ///   - name: name for saving; nil to display the file.
    ///   - isImmutable: whether the content of the address never changes.
    public init(_ file: OpenFile, contentType: String, tag: String, savedAs name: String? = nil, isImmutable: Bool) {
        self.file = file
        self.contentType = contentType
        self.tag = "\"\(tag)\""
        self.name = name
        self.isImmutable = isImmutable
    }

    /// The response to a request.
    public func response(to request: Request) -> Response {
        var headers: [Response.Field] = [
            .init("ETag", tag), .init("Accept-Ranges", "bytes"),
            // A browser's private cache may keep it; shared caches may not.
            .init("Cache-Control", isImmutable ? "private, max-age=31536000, immutable" : "private, no-cache"),
        ]
        if let name { headers.append(.init("Content-Disposition", Self.attachment(name))) }
        if let known = request.header("if-none-match"), known == "*" || known.contains(tag) {
            return Response(status: 304, contentType: contentType, body: [], headers: headers)
        }
        let size = file.facts.sizeBytes
        let isCurrent = request.header("if-range").map { $0 == tag } ?? true
        if isCurrent, let text = request.header("range"), let range = Self.range(text, of: size) {
            switch range {
            case .none:
                return ServiceError(
                    416, "no-such-range", "The range is outside the file's \(size) bytes.",
                    headers: [.init("Content-Range", "bytes */\(size)")]
                ).response
            case let range?:
                headers.append(.init("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"))
                return sent(
                    status: 206, from: range.lowerBound, count: range.upperBound - range.lowerBound + 1, headers)
            }
        }
        return sent(status: 200, from: 0, count: size, headers)
    }

    private func sent(status: Int, from offset: UInt64, count: UInt64, _ headers: [Response.Field]) -> Response {
        guard let part = ResponseFile(copying: file.descriptor, offset: offset, count: count) else {
            return ServiceError(503, "busy", "The server has no file descriptor left.", retryAfterSeconds: 1).response
        }
        return Response(status: status, contentType: contentType, content: .file(part), headers: headers)
    }

    /// One inclusive range of bytes. The inner nil is an unsatisfiable range; the outer nil is not a single range, and
    /// is ignored.
    static func range(_ text: String, of size: UInt64) -> ClosedRange<UInt64>?? {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !text.contains(",") else { return nil }
        if parts[0].isEmpty {
            guard let count = UInt64(parts[1]) else { return nil }
            return count == 0 || size == 0 ? .some(nil) : .some((size - min(count, size))...(size - 1))
        }
        guard let first = UInt64(parts[0]) else { return nil }
        guard parts[1].isEmpty || UInt64(parts[1]) != nil else { return nil }
        let last = min(UInt64(parts[1]) ?? .max, size == 0 ? 0 : size - 1)
        return first < size && first <= last ? .some(first...last) : .some(nil)
    }

    /// The value of `Content-Disposition` for a download (RFC 6266, with RFC 8187 for names beyond ASCII).
    public static func attachment(_ name: String) -> String {
        let plain = String(
            decoding: name.utf8.map { byte -> UInt8 in
                let isPlain = (0x20...0x7e).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                return isPlain ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        var coded = ""
        for byte in name.utf8 {
            let character = Character(UnicodeScalar(byte))
            if byte < 0x80, character.isLetter || character.isNumber || ".-_".contains(character) {
                coded.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                coded += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(coded)"
    }
}
