internal import Glibc

/// An HTTP client that sends exactly the given bytes.
public enum Client {
    /// Connects and sends the bytes. Returns the socket, which the caller closes, or nil if no server listens.
    public static func open(_ bytes: [UInt8], port: UInt16, patience: Int = 20) -> Int32? {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var time = timeval(tv_sec: patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(socket)
            return nil
        }
        say(bytes, on: socket)
        return socket
    }

    /// Sends the bytes. Returns false if the server has closed the connection.
    @discardableResult
    public static func say(_ bytes: [UInt8], on socket: Int32) -> Bool {
        bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == bytes.count
    }

    /// Sends the bytes and returns the server's response. Reads until the server closes the connection or sends nothing
    /// for `patience` seconds. Returns nil if no server listens.
    public static func talk(_ bytes: [UInt8], port: UInt16, patience: Int = 20, shutsDown: Bool = true) -> [UInt8]? {
        guard let socket = open(bytes, port: port, patience: patience) else { return nil }
        defer { close(socket) }
        if shutsDown { shutdown(socket, Int32(SHUT_WR)) }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return answer }
            answer += buffer[..<count]
        }
    }

    public static func get(_ path: String, port: UInt16, method: String = "GET") -> (status: Int, body: String)? {
        let request = "\(method) \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        guard let answer = talk(Array(request.utf8), port: port, shutsDown: false) else { return nil }
        let text = String(decoding: answer, as: UTF8.self)
        guard let status = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        // Swift treats a carriage return and its line feed as one character.
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (status, parts.count > 1 ? String(parts[1]) : "")
    }
}
