internal import Clock
internal import Glibc
internal import Processes

/// One end of the socket between a worker and a render process. It carries messages, each preceded by its length (32
/// bits, little-endian), and open files with them. The socket is closed with the value.
public struct MessageChannel: ~Copyable, Sendable {
    private let descriptor: Int32
    private var received: [UInt8] = []
    private var descriptors: [Int32] = []

    /// The descriptor of a render process's end.
    public static let inheritedDescriptor: Int32 = 3

    /// Result of waiting for a message.
    public enum Reading: Hashable {
        case message([UInt8])
        case nothingYet
        /// The other side is gone, or sent an invalid message.
        case ended
    }

    /// - Parameter descriptor: a connected stream socket; this value closes it.
    public init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        for descriptor in descriptors { close(descriptor) }
        close(descriptor)
    }

    /// The two ends of a new connection, which child processes do not inherit; nil if no descriptor is left.
    public static func pair() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        return unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Sends a whole message, at most 4 GiB, with copies of at most `DescriptorPassing.maxCount` descriptors. False if
    /// the other side is gone.
    public func send(_ message: [UInt8], with descriptors: [Int32] = []) -> Bool {
        let length = UInt32(message.count)
        var rest = ((0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + message)[...]
        var descriptors = descriptors
        while !rest.isEmpty {
            guard let count = DescriptorPassing.send(rest, with: descriptors, over: descriptor) else { return false }
            descriptors = []
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// The descriptors received with messages since the last call. The caller owns them.
    public mutating func takeDescriptors() -> [Int32] {
        defer { descriptors = [] }
        return descriptors
    }

    /// Waits for a message of at most `limit` bytes. A partial one is kept until the rest arrives.
    ///
    /// - Parameter milliseconds: longest wait, also for a message that arrives byte by byte; negative for no limit.
    public mutating func receive(milliseconds: Int32, limit: Int) -> Reading {
        let deadline = ContinuousClock.now + .milliseconds(milliseconds)
        while true {
            if let reading = takeMessage(limit: limit) { return reading }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&state, 1, milliseconds > 0 ? Self.milliseconds(until: deadline) : milliseconds)
            if ready == 0 || (ready < 0 && errno == EINTR && milliseconds >= 0) { return .nothingYet }
            if ready > 0, !fillBuffer() { return .ended }
            if ready < 0, errno != EINTR { return .ended }
        }
    }

    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        Int32(clamping: max(0, (deadline - .now).wholeMilliseconds))
    }

    private mutating func takeMessage(limit: Int) -> Reading? {
        guard received.count >= 4 else { return nil }
        let length = (0..<4).reduce(0) { $0 | Int(received[$1]) << (8 * $1) }
        guard length <= limit else { return .ended }
        guard received.count >= 4 + length else { return nil }
        defer { received.removeFirst(4 + length) }
        return .message(Array(received[4..<(4 + length)]))
    }

    /// Reads the available bytes. False at the end of the connection.
    private mutating func fillBuffer() -> Bool {
        guard let part = DescriptorPassing.receive(limit: 1 << 16, over: descriptor) else { return false }
        received += part.bytes
        descriptors += part.descriptors
        // No valid message carries so many.
        return descriptors.count <= 2 * DescriptorPassing.maxCount
    }
}
