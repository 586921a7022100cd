internal import Concurrency
internal import Synchronization
public import Web

/// Streams a function's output. The function runs at most a few blocks ahead of the client, and ends early when the
/// client disconnects.
public final class ProducedStream: ResponseStream {
    /// Takes the next bytes; throws after the client disconnected.
    public typealias Sink = ([UInt8]) throws -> Void

    private let channel = Channel()
    private let thread: Mutex<BackgroundThread?>

    /// - Parameter onError: receives the error that ended the function early; the connection is then cut.
    public init(
        onError: @escaping @Sendable (any Error) -> Void, _ write: @escaping @Sendable (@escaping Sink) throws -> Void
    ) {
        let thread = BackgroundThread { [channel] in
            do {
                try write { try channel.put($0) }
                channel.end(hasFailed: false)
            } catch is ClientLeft {
                channel.end(hasFailed: true)
            } catch {
                channel.end(hasFailed: true)
                onError(error)
            }
        }
        self.thread = Mutex(thread)
    }

    /// The next bytes; empty if none arrived within the patience.
    public func next(limit: Int) -> [UInt8]? { channel.take(limit) }

    /// Whether the function ended early.
    public var hasFailed: Bool { channel.hasFailed }

    /// Ends the function and waits for it.
    public func close() {
        channel.abandon()
        thread.withLock { $0.take()?.wait() }
    }
}

private struct ClientLeft: Error {}

private final class Channel: Sendable {
    private struct State {
        var blocks: [ArraySlice<UInt8>] = []
        var isEnded = false
        var hasFailed = false
        var isAbandoned = false
    }

    private let state = Mutex(State())
    private let filled = ThreadSignal()
    private let emptied = ThreadSignal()
    private static let maxBlocks = 16
    /// Below the twenty seconds within which a stream must answer.
    private static let patience = Duration.seconds(10)

    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func put(_ bytes: [UInt8]) throws {
        while true {
            let isTaken = try state.withLock { state in
                if state.isAbandoned { throw ClientLeft() }
                guard state.blocks.count < Self.maxBlocks else { return false }
                if !bytes.isEmpty { state.blocks.append(bytes[...]) }
                return true
            }
            if isTaken { return filled.signal() }
            emptied.wait()
        }
    }

    func take(_ limit: Int) -> [UInt8]? {
        while true {
            let (part, isEnded) = state.withLock { state -> ([UInt8], Bool) in
                guard let first = state.blocks.first else { return ([], state.isEnded) }
                let part = first.prefix(limit)
                state.blocks[0] = first.dropFirst(part.count)
                if state.blocks[0].isEmpty { state.blocks.removeFirst() }
                return (Array(part), false)
            }
            if !part.isEmpty {
                emptied.signal()
                return part
            }
            if isEnded { return nil }
            if !filled.wait(limit: Self.patience) { return [] }
        }
    }

    func end(hasFailed: Bool) {
        state.withLock { ($0.isEnded, $0.hasFailed) = (true, hasFailed) }
        filled.signal()
    }

    func abandon() {
        state.withLock { $0.isAbandoned = true }
        emptied.signal()
    }
}
