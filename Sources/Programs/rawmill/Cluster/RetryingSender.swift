import Arguments
import Broker
import Jobs
import KafkaBroker
import Records
import Telemetry

/// Sends an order even where no broker can be reached for a while.
struct RetryingSender {
    let values: Values
    let patience: Duration

    /// An attempt that is given less would fail at a cluster that is only busy.
    private static let shortestAttempt = Duration.seconds(2)

    /// Returns when the broker has it for good. What arrives twice is obeyed once: an order by its batch.
    func send(_ order: ConversionOrder, headers: [Header]) async throws {
        let log = RoleLog.quiet(values)
        let deadline = ContinuousClock.now + patience
        while true {
            // A client of its own for each attempt, which knows how much time is left.
            let transport = try BrokerOptions.commandTransport(
                values, limit: max(Self.shortestAttempt, deadline - .now))
            do {
                try await ControlSender(transport).send(.submit(order), headers: headers)
                return await transport.close()
            } catch BrokerError.unavailable(let why) where ContinuousClock.now < deadline {
                await transport.close()
                log.warning(.brokerUnavailable, [.message: "\(why)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
