internal import Foundation
internal import Glibc

/// The socket of a service manager such as systemd. It collects the service's notifications.
public final class NotificationSocket {
    /// Value of `NOTIFY_SOCKET` for the service.
    public let name: String
    private let descriptor: Int32
    private let path: String?

    /// - Parameter isAbstract: true for a socket without a file.
    public init(isAbstract: Bool = false) throws {
        let file = "/tmp/rawmill-notify-\(UUID().uuidString)"
        name = isAbstract ? "@" + file.dropFirst() : file
        path = isAbstract ? nil : file
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = isAbstract ? [0] + Array(name.utf8.dropFirst()) : Array(name.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        guard descriptor >= 0, status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit {
        close(descriptor)
        if let path { unlink(path) }
    }

    /// The assignments received since the last call, in order. Does not wait.
    public func received() -> [String] {
        var all: [String] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return all }
            let text = String(decoding: buffer.prefix(count), as: UTF8.self)
            all += text.split(separator: "\n").map(String.init)
        }
    }
}
