internal import Broker
internal import Synchronization

final class KafkaConsumer: GroupConsumer, Reader {
    let core: ConsumerCore
    private let times: KafkaSettings.Times
    private let name: ClusterName
    private let deadline: TransportDeadline

    init(_ core: ConsumerCore, _ settings: KafkaSettings, _ deadline: TransportDeadline) {
        self.core = core
        times = settings.times
        name = settings.clusterName
        self.deadline = deadline
    }

    /// A consumer that is released without `close` must not keep its partitions.
    deinit { core.requestClose() }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        let deliveries = try await core.poll(limit: limit, wait: wait)
        return name == .usual ? deliveries : deliveries.map(name.own)
    }

    func finish(_ position: Position) async { core.finish(name.external(position)) }

    func commit() async throws -> [TopicPartition: Int64] {
        let offsets = try await core.commit(within: times.commit)
        return Dictionary(uniqueKeysWithValues: offsets.map { (name.own($0.key), $0.value) })
    }

    func pause(topic: String) async { core.state.withLock { $0.pause(name.external(topic)) } }

    func resume(topic: String) async { core.resume(name.external(topic)) }

    func leave() async { await core.leave() }

    func rejoin() async { core.rejoin() }

    func assignment() async -> Set<TopicPartition> {
        Set(core.state.withLock { $0.tracker?.assignment ?? [] }.map(name.own))
    }

    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async {
        core.onRevocation { [name] partitions in Set(release(Set(partitions.map(name.own))).map(name.external)) }
    }

    func close() async { await core.close(within: deadline.limited(times.close)) }
}
