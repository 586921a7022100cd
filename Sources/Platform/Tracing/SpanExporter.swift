internal import Clock
internal import Concurrency
internal import Glibc
internal import Synchronization

/// Brings spans to a collector, on a thread of its own. Tracing never holds up the work: spans for which there is no
/// room, because the collector is away or slow, are dropped and counted.
public final class SpanExporter: Sendable {
    /// What became of spans so far.
    public struct Figures: Hashable, Sendable {
        public var exported = 0
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

    /// Spans of one request.
    private static let batch = 512
    private static let attempts = 5
    private static let backoff = Backoff(initial: .milliseconds(500), max: .seconds(8))

    /// - Parameters:
    ///   - service: `rawmill-worker`, say.
    ///   - instance: names this process among others of its kind.
    ///   - limit: spans that wait at most.
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

    /// Takes a short lock, and does not wait. A span of a trace that nobody records is nobody's business.
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

    public var figures: Figures { state.withLock { $0.figures } }

    /// Brings away what waits, then ends; returns after the limit at the latest.
    public func close(limit: Duration = .seconds(3)) async {
        state.withLock { $0.isClosing = true }
        let end = ContinuousClock.now + limit
        while !state.withLock({ $0.hasEnded }), .now < end { try? await Task.sleep(for: .milliseconds(20)) }
    }

    private func run() {
        while true {
            let (spans, isClosing) = state.withLock { state in
                let spans = Array(state.waiting.prefix(Self.batch))
                state.waiting.removeFirst(spans.count)
                return (spans, state.isClosing)
            }
            if !spans.isEmpty {
                let isTaken = bring(spans)
                state.withLock { state in
                    if isTaken { state.figures.exported += spans.count } else { state.figures.dropped += spans.count }
                }
            } else if isClosing {
                return state.withLock { $0.hasEnded = true }
            } else {
                usleep(100_000)
            }
        }
    }

    /// Tries again while the collector is away, ever less often; once only where the process is about to end.
    private func bring(_ spans: [Span]) -> Bool {
        let body = TraceText.request(spans, service: service, version: version, instance: instance)
        var backoff = Self.backoff
        for _ in 0..<Self.attempts {
            switch collector.post(body) {
            case .taken: return true
            case .refused: return false
            case .away: break
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
