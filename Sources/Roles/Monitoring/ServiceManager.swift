internal import Glibc

/// The service manager that started this process, such as systemd. It receives the role's state as datagrams on a local
/// socket, as in sd_notify(3).
public struct ServiceManager: Sendable {
    /// How long the manager waits for a sign of life before it restarts the role; nil if it does not watch.
    public let watchdog: Duration?
    private let address: [UInt8]

    /// Nil if no manager expects notifications. In the environment, `NOTIFY_SOCKET` is a path, or the name of an
    /// abstract socket after `@`; `WATCHDOG_USEC` applies to the process `WATCHDOG_PID`.
    public init?(process: Int32? = nil, environment: (_ name: String) -> String?) {
        guard let socket = environment("NOTIFY_SOCKET"), let first = socket.utf8.first,
            [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first),
            (2..<MemoryLayout.size(ofValue: sockaddr_un().sun_path)).contains(socket.utf8.count)
        else { return nil }
        address = first == UInt8(ascii: "@") ? [0] + socket.utf8.dropFirst() : Array(socket.utf8)
        let isWatched = environment("WATCHDOG_PID").map { $0 == (process ?? getpid()).description } ?? true
        let microseconds = environment("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
        watchdog = isWatched && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Requests an hour to start, because databases of earlier versions are migrated first.
    public func starting() { send(["STATUS=starting", "EXTEND_TIMEOUT_USEC=3600000000"]) }

    /// Sends assignments such as `READY=1` without waiting. False if the manager is too busy or gone.
    @discardableResult
    public func send(_ assignments: [String]) -> Bool {
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let message = Array(assignments.joined(separator: "\n").utf8)
        var name = sockaddr_un()
        name.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &name.sun_path) { unsafe $0.copyBytes(from: address) }
        let length = socklen_t(MemoryLayout.size(ofValue: name.sun_family) + address.count)
        let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
        let sent = unsafe withUnsafePointer(to: &name) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe message.withUnsafeBytes { bytes in
                    unsafe sendto(descriptor, bytes.baseAddress, bytes.count, flags, address, length)
                }
            }
        }
        return sent == message.count
    }
}
