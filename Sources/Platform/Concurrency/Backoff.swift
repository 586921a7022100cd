/// Delays between attempts at a failing operation, doubling up to a maximum.
///
///     var backoff = Backoff(initial: .milliseconds(200), max: .seconds(5))
///     while !attempt() { try await Task.sleep(for: backoff.nextDelay()) }
public struct Backoff: Hashable, Sendable {
    /// The delay after the first failure.
    public let initialDelay: Duration
    /// The longest delay.
    public let maxDelay: Duration
    private var delay: Duration

    /// Delays that start at `initial` and double up to `max`.
    public init(initial: Duration, max: Duration) {
        initialDelay = min(initial, max)
        maxDelay = max
        delay = initialDelay
    }

    /// The delay before the next attempt. Doubles the following one.
    public mutating func nextDelay() -> Duration {
        defer { delay = doubled(delay) }
        return delay
    }

    /// Returns to the initial delay, after a success.
    public mutating func reset() { delay = initialDelay }

    /// The delay after this many failures in a row, for callers that count failures themselves; 1 or less gives the
    /// initial delay.
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
