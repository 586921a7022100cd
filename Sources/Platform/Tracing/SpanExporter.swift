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
    private static let tries = 5

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
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        if pthread_create(&thread, nil, exportSpans, context.toOpaque()) == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            state.withLock { $0.hasEnded = true }
        }
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

    fileprivate func run() {
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
        for number in 0..<Self.tries {
            switch collector.post(body) {
            case .taken: return true
            case .refused: return false
            case .away: break
            }
            for _ in 0..<(1 << number) * 5 {
                if state.withLock({ $0.isClosing }) { return false }
                usleep(100_000)
            }
        }
        return false
    }
}

/// The thread's body; it holds the exporter until it has ended.
private func exportSpans(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<SpanExporter>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
