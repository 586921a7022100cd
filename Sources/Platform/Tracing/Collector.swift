internal import Glibc

/// The address of an OpenTelemetry collector: `http://host:4318`. TLS is not supported, because a collector runs next to its
/// programs and forwards spans by its own means.
public struct Collector: Hashable, Sendable, CustomStringConvertible {
    let host: String
    let port: String
    /// It ends with `/v1/traces`.
    let path: String

    /// Reads an address; nil for any other text.
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

    /// The address of its traces, as a URL.
    public var description: String { "http://\(host.contains(":") ? "[\(host)]" : host):\(port)\(path)" }

    /// The outcome of a request.
    enum Outcome: Hashable {
        case accepted
        /// Trying again may help. The text says what is wrong.
        case unavailable(String)
        /// The status code of a final refusal.
        case refused(Int)
    }

    /// Sends a request. Blocks for up to 5 s in each step.
    func post(_ body: [UInt8]) -> Outcome {
        guard let socket = connected() else { return .unavailable("\(self) does not answer") }
        defer { close(socket) }
        let head = """
            POST \(path) HTTP/1.1\r\nHost: \(host):\(port)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.count)\r\nConnection: close\r\n\r\n
            """
        guard Self.send(Array(head.utf8), to: socket), Self.send(body, to: socket) else {
            return .unavailable("\(self) hung up")
        }
        guard let status = Self.status(from: socket) else { return .unavailable("\(self) gave no answer") }
        switch status {
        case 200...299: return .accepted
        case 429, 502, 503, 504: return .unavailable("\(self) answered \(status)")
        default: return .refused(status)
        }
    }

    private static let timeoutSeconds = 5

    private func connected() -> Int32? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, port, &hints, &found) == 0 else { return nil }
        defer { unsafe freeaddrinfo(found) }
        var next = unsafe found
        while let address = unsafe next?.pointee {
            let kind = unsafe address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue)
            let socket = unsafe Glibc.socket(address.ai_family, kind, address.ai_protocol)
            var time = timeval(tv_sec: Self.timeoutSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            // The timeout of sending holds for connecting too.
            unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            if socket >= 0, unsafe connect(socket, address.ai_addr, address.ai_addrlen) == 0 { return socket }
            if socket >= 0 { close(socket) }
            unsafe next = address.ai_next
        }
        return nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// The status code of "HTTP/1.1 200 OK". The rest of the response is not needed.
    private static func status(from socket: Int32) -> Int? {
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while response.count < 12 {
            let count = unsafe recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            response += buffer[..<count]
        }
        let line = String(decoding: response.prefix(12), as: UTF8.self)
        return line.hasPrefix("HTTP/1.") ? Int(line.suffix(3)) : nil
    }
}
