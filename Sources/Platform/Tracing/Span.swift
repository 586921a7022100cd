public import Clock
public import Telemetry

/// Something that took time, as a part of a trace.
public struct Span: Sendable {
    public let name: String
    /// The trace it belongs to and the span above it.
    public let parent: TraceContext
    /// Nothing is above it: it begins the trace, and `parent` names it itself.
    public let isRoot: Bool
    public let id: UInt64
    /// Nanoseconds since 1970.
    public let start: UInt64
    public let end: UInt64
    public let attributes: [(name: String, value: LogValue)]
    /// Why it failed, in words; nil where it did not.
    public let failure: String?

    /// - Parameter id: random, where it is not given.
    public init(
        _ name: String, below parent: TraceContext, id: UInt64 = .random(in: 1...UInt64.max), start: UInt64,
        end: UInt64 = WallClock.nanoseconds, attributes: KeyValuePairs<String, LogValue> = [:], failure: String? = nil
    ) {
        self.init(name, parent, id == 0 ? 1 : id, (start, end), attributes, failure, isRoot: false)
    }

    /// The span that a new context names.
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

    /// What is below it has this context.
    public var context: TraceContext { parent.below(id) }
}
