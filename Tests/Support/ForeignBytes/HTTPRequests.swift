import Glibc
import Web

/// Requests to the server of a role, over a real connection.
struct HTTPRequests: ForeignReader {
    let name = "http"

    private static let server: WebServer? = ListenAddress("127.0.0.1:0").flatMap { address in
        try? WebServer(address) { request in .text("\(request.method) \(request.path)") }
    }

    func read(_ bytes: [UInt8]) {
        guard let server = Self.server, let client = connected(to: server.port) else {
            preconditionFailure("the server takes no connections any more")
        }
        defer { close(client) }
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server may close the connection at any byte.
            guard count > 0 else { break }
            sent += count
        }
        shutdown(client, Int32(SHUT_WR))
        var buffer = [UInt8](repeating: 0, count: 4096)
        // The server may wait 10 s for more, but has parsed everything sent.
        while hasAnswer(client), recv(client, &buffer, buffer.count, 0) > 0 {}
    }

    private func hasAnswer(_ client: Int32) -> Bool {
        var waiting = pollfd(fd: client, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, 5) > 0
    }

    private func connected(to port: UInt16) -> Int32? {
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // Closed without waiting for late packets, because thousands of connections would use up the ports.
        var abort = linger(l_onoff: 1, l_linger: 0)
        setsockopt(client, SOL_SOCKET, SO_LINGER, &abort, socklen_t(MemoryLayout<linger>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if status == 0 { return client }
        let wasInterrupted = errno == EINTR
        close(client)
        // A fuzzer's alarm may interrupt the wait.
        return wasInterrupted ? connected(to: port) : nil
    }
}
