import Glibc
import Testing

/// A server that answers one request with any bytes and closes the connection, or never answers.
final class OneAnswer: Sendable {
    let port: UInt16
    private let socket: Int32

    /// - Parameter text: nil to send nothing.
    init(_ text: String?) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.socket = socket
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(socket, pointer, length) == 0 && listen(socket, 1) == 0
                    && getsockname(socket, pointer, &length) == 0
            }
        }
        try #require(isBound)
        port = UInt16(bigEndian: address.sin_port)
        guard let text else { return }
        Task.detached {
            let client = accept(socket, nil, nil)
            var request = [UInt8](repeating: 0, count: 4096)
            _ = recv(client, &request, request.count, 0)
            _ = send(client, Array(text.utf8), text.utf8.count, Int32(MSG_NOSIGNAL))
            close(client)
        }
    }

    deinit { close(socket) }
}
