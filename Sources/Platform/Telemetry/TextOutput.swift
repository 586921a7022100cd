internal import Glibc
internal import Synchronization

/// Writes whole texts to a descriptor. When the reader has left (`| head`), it goes on in silence: what a command
/// does is not undone by nobody watching. Needs SIGPIPE to be ignored in the process.
public final class TextOutput: Sendable {
    private let descriptor: Int32
    private let hasReader = Mutex(true)

    public init(descriptor: Int32) { self.descriptor = descriptor }

    public static let standardOutput = TextOutput(descriptor: 1)
    public static let standardError = TextOutput(descriptor: 2)

    public var isOpen: Bool { hasReader.withLock { $0 } }

    public func write(_ text: String) { write(bytes: Array(text.utf8)) }

    public func write(line: String) { write(line + "\n") }

    /// All of it in one piece: two threads' texts do not mix.
    public func write(bytes: [UInt8]) {
        hasReader.withLock { hasReader in
            guard hasReader else { return }
            var rest = bytes[...]
            while !rest.isEmpty {
                guard let count = step(rest) else {
                    hasReader = false
                    return
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// Bytes written, 0 to try again, nil where nobody reads any more.
    private func step(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        switch errno {
        case EINTR: return 0
        case EAGAIN:
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            poll(&ready, 1, -1)
            return 0
        default: return nil
        }
    }
}
