internal import HTTPClient

/// Address of an OpenTelemetry collector: `http://host:4318`. No TLS: a collector runs next to its programs and
/// encrypts what it forwards.
public struct Collector: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: String
    let path: String

    /// Parses an address; nil if invalid.
    public init?(_ text: String) {
        guard text.hasPrefix("http://") else { return nil }
        let rest = text.dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" }
        var base = rest.dropFirst(authority.count)
        while base.last == "/" { base.removeLast() }
        let colon = authority.last == "]" ? nil : authority.lastIndex(of: ":")
        var host = authority[..<(colon ?? authority.endIndex)]
        if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
        let port = colon.map { String(authority[authority.index(after: $0)...]) } ?? "4318"
        let allowed = { (byte: UInt8) in byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "@") }
        guard !host.isEmpty, UInt16(port).map({ $0 > 0 }) ?? false, rest.utf8.allSatisfy(allowed) else { return nil }
        self.host = String(host)
        self.port = port
        path = base.hasSuffix("/v1/traces") ? String(base) : base + "/v1/traces"
    }

    private var server: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// The URL for traces.
    public var description: String { server + path }

    enum Outcome: Hashable {
        case accepted
        /// A retry may succeed. The text states the cause.
        case unavailable(String)
        /// The status code of a permanent refusal.
        case refused(Int)
    }

    /// Sends a request. Blocks for at most 5 s to connect, and 5 s without progress.
    func post(_ body: [UInt8]) -> Outcome {
        let answer: HTTPAnswer
        do {
            answer = try HTTPClient(server: server, limits: .nearby).send("POST", path, .json(body))
        } catch {
            return .unavailable("\(self) did not respond: \(error)")
        }
        switch answer.status {
        case 200...299: return .accepted
        case 429, 502, 503, 504: return .unavailable("\(self) responded with status \(answer.status)")
        default: return .refused(answer.status)
        }
    }
}
