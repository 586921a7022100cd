internal import Glibc

/// Where spans go: a collector's address, `http://host:4318`. Without TLS: a collector stands beside its programs, and
/// brings what it has elsewhere by its own means.
public struct Collector: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: String
    /// With `/v1/traces` at its end.
    let path: String

    /// Nil for what is no such address.
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

    public var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)" }

    /// What became of spans that were brought to the collector.
    enum Answer: Hashable {
        case taken
        /// Worth another try.
        case away(String)
        case refused(Int)
    }

    /// Brings it a request. Blocks, at most some seconds for each step.
    func post(_ body: [UInt8]) -> Answer {
        guard let socket = connected() else { return .away("\(self) does not answer") }
        defer { close(socket) }
        let head = """
            POST \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.count)\r\nConnection: close\r\n\r\n
            """
        guard Self.send(Array(head.utf8), to: socket), Self.send(body, to: socket) else {
            return .away("\(self) hung up")
        }
        guard let status = Self.status(from: socket) else { return .away("\(self) gave no answer") }
        switch status {
        case 200...299: return .taken
        case 429, 502, 503, 504: return .away("\(self) answered \(status)")
        default: return .refused(status)
        }
    }

    private static let patienceSeconds = 5

    private func connected() -> Int32? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var next = found
        while let address = next?.pointee {
            let kind = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
            let socket = Glibc.socket(address.ai_family, kind, address.ai_protocol)
            var time = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            // Of sending, which a connection's beginning is, too.
            setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            if socket >= 0, connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
            if socket >= 0 { close(socket) }
            next = address.ai_next
        }
        return nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Of "HTTP/1.1 200 OK"; the rest of the answer says nothing that is needed.
    private static func status(from socket: Int32) -> Int? {
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while answer.count < 12 {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            answer += buffer[..<count]
        }
        let line = String(decoding: answer.prefix(12), as: UTF8.self)
        return line.hasPrefix("HTTP/1.") ? Int(line.suffix(3)) : nil
    }
}
