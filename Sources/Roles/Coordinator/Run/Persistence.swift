internal import Broker

/// Runs `body` until it returns, again after a pause when the broker could not be reached or had lost a topic. The pauses
/// double up to 10 s, and begin anew after a body that lasted longer than that.
///
/// - Throws: whatever else `body` throws, and `CancellationError` during a pause.
func persisting(
    report: @Sendable (RunEvent) async -> Void, _ body: () async throws -> Void
) async throws {
    let longest = Duration.seconds(10)
    var pause = Duration.milliseconds(250)
    while true {
        let start = ContinuousClock.now
        do {
            return try await body()
        } catch let error as BrokerError {
            guard error.isPassing else { throw error }
            if start.duration(to: .now) > longest { pause = .milliseconds(250) }
            await report(.brokerUnavailable(error, pause: pause))
            try await Task.sleep(for: pause)
            pause = min(pause * 2, longest)
        }
    }
}
