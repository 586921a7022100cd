extension Duration {
    /// Seconds, with fraction.
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    /// Milliseconds, with fraction.
    public var milliseconds: Double { seconds * 1000 }

    /// Whole milliseconds, truncated; `Int64.max` on overflow.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow ? .max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
    }

    /// Whole microseconds, truncated; 0 if negative, `UInt64.max` on overflow.
    public var wholeMicroseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard self > .zero else { return 0 }
        let microseconds = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        return microseconds.overflow ? .max : microseconds.partialValue &+ UInt64(attoseconds) / 1_000_000_000_000
    }

    /// In at most two units, for display: `850 ms`, `12 s`, `3 min 20 s`, `2 h 05 min`, `4 d 06 h`.
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
