public import Clock
public import Telemetry

/// A timed step of work within a trace.
public struct Span: Sendable {
    /// What was done.
    public let name: String
    /// The trace and the parent span.
    public let parent: TraceContext
    /// Whether this is the root span; `parent` then names the span itself.
    public let isRoot: Bool
    /// Id within the trace; not 0.
    public let id: UInt64
    /// Nanoseconds since 1970.
    public let start: UInt64
    /// Nanoseconds since 1970; not before `start`.
    public let end: UInt64
    /// Attributes, in order.
    public let attributes: [(name: String, value: LogValue)]
    /// Why it failed; nil if it succeeded.
    public let failure: String?

    /// A child span.
    ///
    /// - Parameters:
    ///   - id: random by default; 0 becomes 1.
    ///   - start: nanoseconds since 1970, like `end`.
    public init(
        _ name: String, below parent: TraceContext, id: UInt64 = .random(in: 1...UInt64.max), start: UInt64,
        end: UInt64 = WallClock.nanoseconds, attributes: KeyValuePairs<String, LogValue> = [:], failure: String? = nil
    ) {
        self.init(name, parent, id == 0 ? 1 : id, (start, end), attributes, failure, isRoot: false)
    }

    /// The root span of a trace.
    public init(
        root name: String, of context: TraceContext, start: UInt64, end: UInt64 = WallClock.nanoseconds,
        attributes: KeyValuePairs<String, LogValue> = [:], failure: String? = nil
    ) {
        self.init(name, context, context.span, (start, end), attributes, failure, isRoot: true)
    }

    private init(
        _ name: String, _ parent: TraceContext, _ id: UInt64, _ time: (start: UInt64, end: UInt64),
        _ attributes: KeyValuePairs<String, LogValue>, _ failure: String?, isRoot: Bool
    ) {
        self.name = name
        self.parent = parent
        self.isRoot = isRoot
        self.id = id
        start = time.start
        end = max(time.start, time.end)
        self.attributes = attributes.map { ($0.key, $0.value) }
        self.failure = failure
    }

    /// The context for child spans.
    public var context: TraceContext { parent.below(id) }
}
