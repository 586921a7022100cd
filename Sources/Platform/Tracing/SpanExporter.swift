internal import Concurrency
internal import Synchronization

/// Sends spans to a collector on its own thread. Tracing never delays work: when too many spans wait for a slow or
/// unavailable collector, further ones are dropped and counted.
public final class SpanExporter: Sendable {
    /// Counts of spans so far.
    public struct Figures: Hashable, Sendable {
        /// Accepted by the collector.
        public var exported = 0
        /// Not sent, or not accepted.
        public var dropped = 0
    }

    private struct State {
        var waiting: [Span] = []
        var figures = Figures()
        var isClosing = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let arrival = ThreadSignal()
    /// Wakes the thread from a delay, to end it.
    private let closing = ThreadSignal()
    private let end = AsyncStream.makeStream(of: Never.self)
    private let collector: Collector
    private let service: String
    private let version: String
    private let instance: String
    private let limit: Int

    private static let maxBatch = 512
    private static let attempts = 5
    private static let backoff = Backoff(initial: .milliseconds(500), max: .seconds(8))

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - service: the kind of process, such as `rawmill-worker`.
    ///   - instance: name of this process within its service.
    ///   - limit: queue length in spans.
    public init(
        to collector: Collector, service: String, version: String, instance: String, limit: Int = 20_000
    ) {
        self.collector = collector
        self.service = service
        self.version = version
        self.instance = instance
        self.limit = limit
        // The thread retains the exporter until it ends.
        let isStarted = SystemThread(name: "span-exporter") { self.run() } != nil
        if !isStarted { finish() }
    }

    /// Queues a span, under a short lock. Spans of unsampled traces are ignored.
    public func take(_ span: Span) {
        guard span.parent.isSampled else { return }
        let isFirst = state.withLock { state in
            guard state.waiting.count < limit, !state.hasEnded else {
                state.figures.dropped += 1
                return false
            }
            state.waiting.append(span)
            return state.waiting.count == 1
        }
        if isFirst { arrival.signal() }
    }

    /// The counts so far.
    public var figures: Figures { state.withLock { $0.figures } }

    /// Sends the queued spans, then ends. Returns after `limit` at the latest.
    public func close(limit: Duration = .seconds(3)) async {
        state.withLock { $0.isClosing = true }
        closing.signal()
        arrival.signal()
        try? await withTimeLimit(limit) { [stream = end.stream] in for await _ in stream {} }
    }

    private func run() {
        while true {
            let (spans, isClosing) = state.withLock { state in
                let spans = Array(state.waiting.prefix(Self.maxBatch))
                state.waiting.removeFirst(spans.count)
                return (spans, state.isClosing)
            }
            if !spans.isEmpty {
                let isAccepted = send(spans)
                state.withLock { state in
                    if isAccepted {
                        state.figures.exported += spans.count
                    } else {
                        state.figures.dropped += spans.count
                    }
                }
            } else if isClosing {
                return finish()
            } else {
                arrival.wait()
                // Lets spans that follow shortly go into the same request.
                closing.wait(limit: .milliseconds(100))
            }
        }
    }

    /// Retries with growing delays while the collector is unavailable; while closing, tries once.
    private func send(_ spans: [Span]) -> Bool {
        let body = TraceText.request(spans, service: service, version: version, instance: instance)
        var backoff = Self.backoff
        for _ in 0..<Self.attempts {
            switch collector.post(body) {
            case .accepted: return true
            case .refused: return false
            case .unavailable: break
            }
            if state.withLock({ $0.isClosing }) || closing.wait(limit: backoff.nextDelay()) { return false }
        }
        return false
    }

    private func finish() {
        state.withLock { $0.hasEnded = true }
        end.continuation.finish()
    }
}
