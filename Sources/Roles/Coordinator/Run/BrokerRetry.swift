internal import Broker
internal import Clock
internal import Concurrency

/// Runs `body` until it succeeds. Repeats it, after a pause, if the broker is unreachable or has lost a topic. The
/// pauses double up to ten seconds, and start again from the shortest after a run longer than that.
func retryingWhileUnavailable(
    report: @Sendable (RunEvent) async -> Void, _ body: () async throws -> Void
) async throws {
    var backoff = Backoff(initial: .milliseconds(250), max: .seconds(10))
    while true {
        let watch = Stopwatch()
        do {
            return try await body()
        } catch let error as BrokerError {
            guard error.isTransient else { throw error }
            // An error of a cancelled request says nothing about the broker.
            try Task.checkCancellation()
            if watch.elapsed > backoff.maxDelay { backoff.reset() }
            let delay = backoff.nextDelay()
            await report(.brokerUnavailable(error, pause: delay))
            try await Task.sleep(for: delay)
        }
    }
}
