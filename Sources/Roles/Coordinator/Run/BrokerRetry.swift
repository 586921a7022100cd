internal import Broker
internal import Clock
internal import Concurrency

/// Runs `body` until it returns. Runs it again, after a pause, if the broker could not be reached or had lost a topic.
///
/// The pauses double up to ten seconds. They start again from the shortest after a body that ran longer than that.
///
/// - Throws: every other error of `body`, and `CancellationError` where the task is cancelled.
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
            // A request that ends with its task says nothing of the broker.
            try Task.checkCancellation()
            if watch.elapsed > backoff.maxDelay { backoff.reset() }
            let delay = backoff.nextDelay()
            await report(.brokerUnavailable(error, pause: delay))
            try await Task.sleep(for: delay)
        }
    }
}
