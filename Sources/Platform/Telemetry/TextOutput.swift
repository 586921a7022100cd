internal import Glibc
internal import Synchronization

/// Writes texts to a file descriptor, each in one piece. When the reader has closed its end (`| head`), further output is
/// dropped and the command continues. The process must ignore SIGPIPE.
public final class TextOutput: Sendable {
    private let descriptor: Int32
    private let hasReader = Mutex(true)

    /// - Parameter descriptor: stays open; it is not closed here.
    public init(descriptor: Int32) { self.descriptor = descriptor }

    /// Descriptor 1.
    public static let standardOutput = TextOutput(descriptor: 1)
    /// Descriptor 2.
    public static let standardError = TextOutput(descriptor: 2)

    /// Whether the reader has not closed its end, as far as is known.
    public var isOpen: Bool { hasReader.withLock { $0 } }

    /// Writes a text in one piece.
    public func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes a text and a line feed in one piece.
    public func write(line: String) { write(line + "\n") }

    /// Writes bytes in one piece, so that the texts of two threads do not mix.
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

    /// The number of bytes written; 0 to try again, and nil if the reader has closed its end.
    private func step(_ bytes: ArraySlice<UInt8>) -> Int? {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        switch errno {
        case EINTR: return 0
        case EAGAIN:
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&ready, 1, -1)
            return 0
        default: return nil
        }
    }
}
