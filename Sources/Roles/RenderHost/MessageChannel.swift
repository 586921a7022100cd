internal import Clock
internal import Glibc

/// One end of the socket between a worker and a render process: messages of bytes, each after its length (32 bits,
/// little-endian). Closed with the value.
public struct MessageChannel: ~Copyable, Sendable {
    private let descriptor: Int32
    private var received: [UInt8] = []

    public enum Reading: Hashable {
        case message([UInt8])
        case nothingYet
        /// The other side is gone, or sends what is no message.
        case ended
    }

    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Two ends of one connection; nil where the system has none left. Neither is inherited by accident.
    public static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        return socketpair(AF_UNIX, kind, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Sends a message whole; false where the other side is gone.
    public func send(_ message: [UInt8]) -> Bool {
        let count = UInt32(message.count)
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } + message
        return bytes.withUnsafeBytes { all in
            var done = 0
            while done < all.count {
                let sent = Glibc.send(
                    descriptor, all.baseAddress.map { $0 + done }, all.count - done, Int32(MSG_NOSIGNAL))
                if sent < 0, errno == EINTR { continue }
                guard sent > 0 else { return false }
                done += sent
            }
            return true
        }
    }

    /// Waits for a message; a part of one is kept until the rest comes.
    ///
    /// - Parameters:
    ///   - milliseconds: longest wait; negative waits for ever.
    ///   - limit: largest message that is taken.
    public mutating func receive(milliseconds: Int32, limit: Int) -> Reading {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            if let reading = whole(limit: limit) { return reading }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // A message that comes byte by byte is not waited for any longer than one that does not come.
            let ready = poll(&state, 1, milliseconds > 0 ? Self.milliseconds(until: end) : milliseconds)
            if ready == 0 || (ready < 0 && errno == EINTR && milliseconds >= 0) { return .nothingYet }
            if ready > 0, !fill() { return .ended }
            if ready < 0, errno != EINTR { return .ended }
        }
    }

    private static func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: max(0, (end - .now).wholeMilliseconds))
    }

    private mutating func whole(limit: Int) -> Reading? {
        guard received.count >= 4 else { return nil }
        let count = (0..<4).reduce(0) { $0 | Int(received[$1]) << (8 * $1) }
        guard count <= limit else { return .ended }
        guard received.count >= 4 + count else { return nil }
        defer { received.removeFirst(4 + count) }
        return .message(Array(received[4..<(4 + count)]))
    }

    /// Takes what is there; false at the end of the connection.
    private mutating func fill() -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = part.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EINTR { return true }
        guard count > 0 else { return false }
        received += part[..<count]
        return true
    }
}
