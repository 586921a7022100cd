internal import Broker
internal import Clock
internal import Records
internal import Telemetry

struct UnreadableRecord {
    let delivery: Delivery
    let error: RecordError

    /// Makes it a dead letter, before its offset is passed.
    func park(
        over transport: any Transport, _ log: Logger, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        let position = delivery.position
        log.error(
            .recordRefused,
            [
                .topic: "\(position.partition.topic)", .partition: LogValue(position.partition.partition),
                .offset: LogValue(position.offset), .message: "\(error)",
            ])
        let (delivery, failure) = (delivery, error.failure)
        try await transport.withProducer {
            try await $0.park(delivery, failure, role: "cataloguer", atMilliseconds: WallClock.milliseconds)
        }
    }
}
