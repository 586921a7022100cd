/// A trace and a span in it (W3C Recommendation "Trace Context, Level 1", 2020: `traceparent`).
public struct TraceContext: Hashable, Sendable, CustomStringConvertible {
    /// 16 bytes, not all 0.
    let trace: (high: UInt64, low: UInt64)
    /// Id of the span; not 0.
    public let span: UInt64
    /// Whether the trace is recorded, as decided by the program that began it.
    public let isSampled: Bool

    /// Begins a trace.
    public init() {
        trace = (.random(in: 1...UInt64.max), .random(in: 1...UInt64.max))
        span = .random(in: 1...UInt64.max)
        isSampled = true
    }

    private init(trace: (high: UInt64, low: UInt64), span: UInt64, isSampled: Bool) {
        self.trace = trace
        self.span = span
        self.isSampled = isSampled
    }

    /// Parses a `traceparent` header: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01". Later versions may
    /// append fields. Nil if invalid.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, let version = Self.number(parts[0], digits: 2), version != 0xFF,
            version != 0 || parts.count == 4, parts[1].utf8.count == 32,
            let high = Self.number(parts[1].prefix(16), digits: 16),
            let low = Self.number(parts[1].dropFirst(16), digits: 16), high != 0 || low != 0,
            let span = Self.number(parts[2], digits: 16), span != 0, let flags = Self.number(parts[3], digits: 2)
        else { return nil }
        self.init(trace: (high, low), span: span, isSampled: flags & 1 == 1)
    }

    /// The same trace with another span.
    public func below(_ span: UInt64) -> TraceContext {
        TraceContext(trace: trace, span: span == 0 ? 1 : span, isSampled: isSampled)
    }

    /// The value of a `traceparent` header.
    public var description: String { "00-\(traceText)-\(Self.text(span))-0\(isSampled ? 1 : 0)" }

    var traceText: String { Self.text(trace.high) + Self.text(trace.low) }

    static func text(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func number(_ text: Substring, digits: Int) -> UInt64? {
        let isHexadecimal = text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
        return text.utf8.count == digits && isHexadecimal ? UInt64(text, radix: 16) : nil
    }

    /// Compares trace, span and the sampled flag.
    public static func == (a: Self, b: Self) -> Bool {
        a.trace == b.trace && a.span == b.span && a.isSampled == b.isSampled
    }

    /// Hashes trace and span.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(trace.low)
        hasher.combine(span)
    }
}
