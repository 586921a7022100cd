internal import Glibc

/// The time of day, for records that outlive the process. Durations are measured with `Stopwatch`.
public enum WallClock {
    /// Milliseconds since 1970.
    public static var milliseconds: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// `2024-05-01T12:34:56.789Z`, as RFC 3339 has it.
    public static func text(milliseconds: Int64) -> String {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (whole, fraction) = remainder < 0 ? (quotient - 1, remainder + 1000) : (quotient, remainder)
        var seconds = time_t(whole)
        var parts = tm()
        // A year beyond Int32 has no calendar date: the number itself is then the best answer.
        guard gmtime_r(&seconds, &parts) != nil else { return milliseconds.description }
        let date = "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let time = "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(time).\(padded(Int32(fraction), 3))Z"
    }

    /// Milliseconds since a time that somebody else told, who may have told any: none where it is still to come.
    public static func elapsed(since then: Int64, now: Int64 = WallClock.milliseconds) -> Int64 {
        let (elapsed, overflow) = now.subtractingReportingOverflow(then)
        return now < then ? 0 : overflow ? .max : elapsed
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = number.description
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// Measures elapsed time on the monotonic clock.
public struct Stopwatch: Sendable {
    private let start = ContinuousClock.now

    public init() {}

    public var elapsed: Duration { start.duration(to: .now) }
}

extension Duration {
    public var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }

    public var milliseconds: Double { seconds * 1000 }

    /// Without the fraction; what does not fit stands as the greatest number.
    public var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
        return milliseconds.overflow ? .max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
    }

    /// Whole microseconds; what no clock can measure stands as the nearest that fits.
    public var microseconds: UInt64 { UInt64(max(0, min(seconds * 1e6, 1e18))) }

    /// For people: `850 ms`, `12 s`, `3 min 20 s`, `2 h 05 min`, `4 d 06 h`.
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
