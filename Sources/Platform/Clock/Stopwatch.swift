/// Monotonic time, independent of the time of day. Only meaningful within the process.
public struct MonotonicClock: Sendable {
    private let read: @Sendable () -> ContinuousClock.Instant

    /// A clock that shows what `now` returns, for tests.
    public init(now: @escaping @Sendable () -> ContinuousClock.Instant) { read = now }

    /// The machine's clock.
    public static let system = MonotonicClock { .now }

    /// The current instant.
    public var now: ContinuousClock.Instant { read() }
}

/// Measures the time since its creation, on the monotonic clock.
public struct Stopwatch: Sendable {
    private let clock: MonotonicClock
    private let start: ContinuousClock.Instant

    /// Starts measuring.
    public init(clock: MonotonicClock = .system) {
        self.clock = clock
        start = clock.now
    }

    /// Time since creation.
    public var elapsed: Duration { start.duration(to: clock.now) }

    /// Whole milliseconds since creation.
    public var milliseconds: Int64 { elapsed.wholeMilliseconds }
}
