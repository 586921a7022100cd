internal import Glibc
internal import Synchronization

/// Writes texts to a file descriptor, each in one piece. Once the reader has closed its end (`| head`), output is
/// dropped and the command continues. After an error, such as a full disk, `failure` is set and the next text is tried
/// again. The process must ignore SIGPIPE.
public final class TextOutput: Sendable {
    private let descriptor: Int32
    /// What the descriptor is connected to.
    public let terminal: Terminal
    private let state = Mutex(State())

    private struct State {
        var hasReader = true
        var failure: Int32?
        /// The last text was cut off, so the next one starts a new line.
        var isCut = false
    }

    /// - Parameter descriptor: not closed here.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        terminal = Terminal(descriptor: descriptor)
    }

    /// Descriptor 1.
    public static let standardOutput = TextOutput(descriptor: 1)
    /// Descriptor 2.
    public static let standardError = TextOutput(descriptor: 2)

    /// False once the reader is known to have closed its end.
    public var isOpen: Bool { state.withLock { $0.hasReader } }

    /// Why output is missing; nil if all was written or the reader left.
    public var failure: String? {
        state.withLock { $0.failure }.map { unsafe String(cString: strerror($0)) }
    }

    /// Writes a text in one piece.
    public func write(_ text: String) { write(bytes: Array(text.utf8)) }

    /// Writes a text and a line feed in one piece.
    public func write(line: String) { write(line + "\n") }

    /// Writes a line, styled where the output is a terminal that shows colours.
    public func write(line: String, in style: Style) { write(line: style.apply(line, on: terminal)) }

    /// Writes bytes in one piece: texts of different threads do not mix.
    public func write(bytes: [UInt8]) {
        state.withLock { state in
            guard state.hasReader else { return }
            let text = state.isCut ? [UInt8(ascii: "\n")] + bytes : bytes
            var rest = text[...]
            while !rest.isEmpty {
                switch step(rest) {
                case .success(let count): rest = rest.dropFirst(count)
                case .failure(.readerLeft):
                    state.hasReader = false
                    return
                case .failure(.cannotWrite(let error)):
                    state.failure = error
                    state.isCut = state.isCut || rest.count < text.count
                    return
                }
            }
            state.isCut = false
        }
    }

    private enum Problem: Error {
        case readerLeft
        case cannotWrite(Int32)
    }

    /// Number of bytes written; 0 to try again.
    private func step(_ bytes: ArraySlice<UInt8>) -> Result<Int, Problem> {
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return .success(count) }
        switch errno {
        case EINTR: return .success(0)
        case EAGAIN:
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            unsafe poll(&ready, 1, -1)
            return .success(0)
        case EPIPE: return .failure(.readerLeft)
        default: return .failure(.cannotWrite(errno))
        }
    }
}
