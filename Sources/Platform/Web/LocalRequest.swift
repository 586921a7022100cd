internal import Glibc

/// Asks a server on this machine for a page, as a health check does.
public struct LocalRequest: Sendable {
    /// What it answers.
    public struct Answer: Hashable, Sendable {
        /// The status code.
        public let status: Int
        /// The text of the page.
        public let body: String
    }

    private let addresses: [ListenAddress]
    private let path: String

    /// - Parameters:
    ///   - address: where the server listens.
    ///   - path: of the page, such as `/readyz`.
    public init(_ address: ListenAddress, path: String) {
        addresses =
            address.host.isEmpty
            ? ["127.0.0.1", "[::1]"].compactMap { ListenAddress("\($0):\(address.port)") } : [address]
        self.path = path
    }

    private static let timeoutSeconds = 5
    private static let maxBytes = 1 << 20

    /// Blocks for up to 5 s in each step.
    ///
    /// - Returns: nil if nothing there answers by HTTP.
    public func send() -> Answer? {
        for address in addresses {
            guard let socket = Self.connected(to: address) else { continue }
            defer { close(socket) }
            let text = "GET \(path) HTTP/1.1\r\nHost: \(address)\r\nConnection: close\r\n\r\n"
            guard Self.send(Array(text.utf8), to: socket) else { continue }
            return Self.answer(Self.received(from: socket))
        }
        return nil
    }

    private static func connected(to address: ListenAddress) -> Int32? {
        address.withSocketAddress { pointer, isIPv6 -> Int32? in
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let socket = socket(isIPv6 ? AF_INET6 : AF_INET, kind, 0)
            guard socket >= 0 else { return nil }
            var time = timeval(tv_sec: timeoutSeconds, tv_usec: 0)
            let size = socklen_t(MemoryLayout<timeval>.size)
            // The timeout of sending holds for connecting too.
            setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &time, size)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, size)
            let length = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            if connect(socket, pointer, socklen_t(length)) == 0 { return socket }
            close(socket)
            return nil
        } ?? nil
    }

    private static func send(_ bytes: [UInt8], to socket: Int32) -> Bool {
        Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// All that comes until the server hangs up, or stays silent for too long.
    private static func received(from socket: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < maxBytes {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// Reads "HTTP/1.1 200 OK", and the text after the empty line.
    static func answer(_ bytes: [UInt8]) -> Answer? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix("HTTP/1."), let status = Int(text.dropFirst(9).prefix(3)) else { return nil }
        let end = Array("\r\n\r\n".utf8)
        let start = bytes.indices.first { bytes[$0...].starts(with: end) }.map { $0 + end.count } ?? bytes.count
        return Answer(status: status, body: String(decoding: bytes[start...], as: UTF8.self))
    }
}
