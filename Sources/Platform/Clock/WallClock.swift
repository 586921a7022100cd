internal import Glibc

/// The time of day, for timestamps that outlive the process or are compared between machines. The system may set this
/// clock at any moment, so measure durations with `Stopwatch`.
public struct WallClock: Sendable {
    private let read: @Sendable () -> UInt64

    /// A clock that shows what `nanoseconds` (since 1970-01-01T00:00:00Z) returns, for tests.
    public init(nanoseconds: @escaping @Sendable () -> UInt64) { read = nanoseconds }

    /// The machine's clock.
    public static let system = WallClock {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
    }

    /// Since 1970-01-01T00:00:00Z.
    public var nanoseconds: UInt64 { read() }

    /// Since 1970-01-01T00:00:00Z.
    public var milliseconds: Int64 { Int64(read() / 1_000_000) }

    /// The machine's clock, since 1970-01-01T00:00:00Z.
    public static var nanoseconds: UInt64 { system.nanoseconds }

    /// The machine's clock, since 1970-01-01T00:00:00Z.
    public static var milliseconds: Int64 { system.milliseconds }

    /// UTC date and time in RFC 3339, `2024-05-01T12:34:56.789Z`, from milliseconds since 1970-01-01T00:00:00Z, which
    /// may be negative. Returns the number if the year exceeds 32 bits.
    public static func text(milliseconds: Int64) -> String {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let (whole, fraction) = remainder < 0 ? (quotient - 1, remainder + 1000) : (quotient, remainder)
        var seconds = time_t(whole)
        var parts = unsafe tm()
        guard unsafe gmtime_r(&seconds, &parts) != nil else { return milliseconds.description }
        let date =
            unsafe "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
        let time = unsafe "\(padded(parts.tm_hour, 2)):\(padded(parts.tm_min, 2)):\(padded(parts.tm_sec, 2))"
        return "\(date)T\(time).\(padded(Int32(fraction), 3))Z"
    }

    /// Milliseconds since a timestamp; 0 if it lies in the future. Never overflows, even for garbage from other
    /// machines.
    public static func elapsed(since then: Int64, now: Int64 = WallClock.milliseconds) -> Int64 {
        let (elapsed, overflow) = now.subtractingReportingOverflow(then)
        return now < then ? 0 : overflow ? .max : elapsed
    }

    private static func padded(_ number: Int32, _ width: Int) -> String {
        let digits = number.description
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
