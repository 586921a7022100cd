extension Duration {
    /// The duration in seconds, with its fraction.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// The duration in milliseconds, with its fraction.
    public var milliseconds: Double { seconds * 1000 }

    /// The duration in milliseconds, without its fraction. A duration that exceeds `Int64` becomes `Int64.max`.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow ? .max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
    }

    /// The duration in microseconds, without its fraction. A negative duration becomes 0, and one that exceeds `UInt64`
    /// becomes `UInt64.max`.
    public var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let microseconds = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return microseconds.overflow ? .max : microseconds.partialValue &+ UInt64(attoseconds) / 1_000_000_000_000
    }

    /// The duration in two units at most, for people: `850 ms`, `12 s`, `3 min 20 s`, `2 h 05 min`, `4 d 06 h`.
    public var spoken: String {
        if seconds < 1 { return "\(Int(milliseconds.rounded())) ms" }
        let whole = Int64(min(seconds, 1e15))
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : number.description }
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) min \(two(whole % 60)) s"
        case ..<86_400: return "\(whole / 3600) h \(two(whole / 60 % 60)) min"
        default: return "\(whole / 86_400) d \(two(whole / 3600 % 24)) h"
        }
    }
}
