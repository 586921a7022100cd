internal import Clock
internal import Concurrency
internal import Glibc
internal import Synchronization

/// Sends spans to a collector, on its own thread. Tracing never delays the work: when the collector is unavailable or slow,
/// and too many spans wait, further spans are dropped and counted.
public final class SpanExporter: Sendable {
    /// How many spans were sent and dropped so far.
    public struct Figures: Hashable, Sendable {
        /// Spans that the collector accepted.
        public var exported = 0
        /// Spans that were not sent, or not accepted.
        public var dropped = 0
    }

    private struct State {
        var waiting: [Span] = []
        var figures = Figures()
        var isClosing = false
        var hasEnded = false
    }

    private let state = Mutex(State())
    private let collector: Collector
    private let service: String
    private let version: String
    private let instance: String
    private let limit: Int

    /// How many spans one request holds.
    private static let maxBatch = 512
    private static let attempts = 5
    private static let backoff = Backoff(initial: .milliseconds(500), max: .seconds(8))

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - service: the kind of process, such as `rawmill-worker`.
    ///   - instance: the name of this process among others of its kind.
    ///   - limit: how many spans may wait.
    public init(
        to collector: Collector, service: String, version: String, instance: String, limit: Int = 20_000
    ) {
        self.collector = collector
        self.service = service
        self.version = version
        self.instance = instance
        self.limit = limit
        // The thread retains the exporter until it has ended.
        let isStarted = SystemThread(name: "span-exporter") { self.run() } != nil
        if !isStarted { state.withLock { $0.hasEnded = true } }
    }

    /// Queues a span. Takes a short lock only. Spans of traces that are not recorded are ignored.
    public func take(_ span: Span) {
        guard span.parent.isSampled else { return }
        state.withLock { state in
            if state.waiting.count < limit, !state.hasEnded {
                state.waiting.append(span)
            } else {
                state.figures.dropped += 1
            }
        }
    }

    /// The counts so far.
    public var figures: Figures { state.withLock { $0.figures } }

    /// Sends the waiting spans, then ends. Returns after `limit` at the latest.
    public func close(limit: Duration = .seconds(3)) async {
        state.withLock { $0.isClosing = true }
        let end = ContinuousClock.now + limit
        while !state.withLock({ $0.hasEnded }), .now < end { try? await Task.sleep(for: .milliseconds(20)) }
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
                return state.withLock { $0.hasEnded = true }
            } else {
                usleep(100_000)
            }
        }
    }

    /// Tries again, with growing delays, while the collector is unavailable. While the exporter is closing, it tries once.
    private func send(_ spans: [Span]) -> Bool {
        let body = TraceText.request(spans, service: service, version: version, instance: instance)
        var backoff = Self.backoff
        for _ in 0..<Self.attempts {
            switch collector.post(body) {
            case .accepted: return true
            case .refused: return false
            case .unavailable: break
            }
            let delay = backoff.nextDelay()
            let watch = Stopwatch()
            while watch.elapsed < delay {
                if state.withLock({ $0.isClosing }) { return false }
                usleep(100_000)
            }
        }
        return false
    }
}
