/// The delays between attempts at something that keeps failing: each is twice the last, up to a maximum.
///
///     var backoff = Backoff(initial: .milliseconds(200), max: .seconds(5))
///     while !attempt() { try await Task.sleep(for: backoff.nextDelay()) }
public struct Backoff: Hashable, Sendable {
    /// The delay after the first failure.
    public let initialDelay: Duration
    /// No delay is longer.
    public let maxDelay: Duration
    private var delay: Duration

    /// Delays that start at `initial` and double up to `max`.
    public init(initial: Duration, max: Duration) {
        initialDelay = min(initial, max)
        maxDelay = max
        delay = initialDelay
    }

    /// The delay before the next attempt. The one after it is twice as long.
    public mutating func nextDelay() -> Duration {
        defer { delay = doubled(delay) }
        return delay
    }

    /// Starts again with the initial delay, after a success.
    public mutating func reset() { delay = initialDelay }

    /// The delay after a number of failures in a row, for callers that keep the count themselves.
    ///
    /// - Parameter failures: 1 or less gives the initial delay.
    public func delay(afterFailures failures: Int) -> Duration {
        var delay = initialDelay
        var left = failures - min(failures, 1)
        while left > 0, delay != doubled(delay) {
            delay = doubled(delay)
            left -= 1
        }
        return delay
    }

    private func doubled(_ delay: Duration) -> Duration { delay > maxDelay / 2 ? maxDelay : delay * 2 }
}
