import Arguments
import Broker
import ClusterControl
import Jobs
import KafkaBroker
import Records
import Telemetry

/// Sends an order, and retries while no broker is reachable.
struct RetryingSender {
    let values: ArgumentValues
    let patience: Duration

    /// A shorter attempt would fail at a cluster that is only busy.
    private static let minAttempt = Duration.seconds(2)

    /// Returns when the broker has stored the order. The coordinator executes an order that arrives twice only once, by
    /// its batch.
    ///
    /// - Parameter sources: the parts of its sources, sent before it.
    func send(_ order: ConversionOrder, after sources: [Control], headers: [Header]) async throws {
        let log = RoleLog.quiet(values)
        let deadline = ContinuousClock.now + patience
        while true {
            // Each attempt has its own client with the time left.
            let transport = try BrokerOptions.commandTransport(
                values, limit: max(Self.minAttempt, deadline - .now))
            do {
                try await ControlSender(transport).send(sources, then: .submit(order), headers: headers)
                return await transport.close()
            } catch BrokerError.unavailable(let cause) where ContinuousClock.now < deadline {
                await transport.close()
                log.warning(.brokerUnavailable, [.message: "\(cause)"])
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
