internal import Broker
internal import Synchronization

/// A member of a consumer group in Kafka, or a reader without a group.
final class KafkaConsumer: GroupConsumer, Reader {
    let core: ConsumerCore
    private let times: KafkaSettings.Times

    init(_ core: ConsumerCore, _ times: KafkaSettings.Times) {
        self.core = core
        self.times = times
    }

    /// A consumer that is released without `close` must not keep its partitions.
    deinit { core.requestClose() }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] { try await core.poll(limit: limit, wait: wait) }

    func finish(_ position: Position) async { core.finish(position) }

    func commit() async throws -> [TopicPartition: Int64] { try await core.commit(within: times.commit) }

    func pause(topic: String) async { core.state.withLock { $0.pause(topic) } }

    func resume(topic: String) async { core.resume(topic) }

    func leave() async { await core.leave() }

    func rejoin() async { core.rejoin() }

    func assignment() async -> Set<TopicPartition> { core.state.withLock { $0.tracker?.assignment ?? [] } }

    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async {
        core.onRevocation(release)
    }

    func close() async { await core.close(within: times.close) }
}
