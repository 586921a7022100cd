internal import Broker
internal import Jobs
internal import Synchronization

/// The worker as a member of one queue's consumer group, with its finished but uncommitted deliveries.
final class QueueConsumer: Sendable {
    let queue: JobQueueKind
    private let consumer: any GroupConsumer
    private let window: Int
    private let state: SharedWorkerState
    private let uncommitted = Mutex(UncommittedDeliveries())

    static func join(
        _ queue: JobQueueKind, _ context: WorkerContext, transport: any Transport
    ) async throws -> QueueConsumer {
        let window = queue.window(slots: context.settings.slots)
        let consumer = try await transport.consumer(
            group: WorkerGroup.name(topic: queue.topic), topics: [queue.topic], inFlight: window)
        await consumer.onRevocation { [weak state = context.state] partitions in
            state?.change { $0.releaseUnstarted(of: partitions) } ?? []
        }
        return QueueConsumer(queue, consumer, window: window, state: context.state)
    }

    private init(_ queue: JobQueueKind, _ consumer: any GroupConsumer, window: Int, state: SharedWorkerState) {
        self.queue = queue
        self.consumer = consumer
        self.window = window
        self.state = state
    }

    func poll(wait: Duration) async throws -> [Delivery] { try await consumer.poll(limit: window, wait: wait) }

    func setPaused(_ isPaused: Bool) async {
        if isPaused { await consumer.pause(topic: queue.topic) } else { await consumer.resume(topic: queue.topic) }
    }

    func leaveGroup() async { await consumer.leave() }
    func rejoinGroup() async { await consumer.rejoin() }

    /// Lets the next commit pass a delivery, whose effects are durable. The job is nil for a record that is not a job.
    func finish(_ position: Position, _ job: Job?) async {
        await consumer.finish(position)
        uncommitted.withLock { $0.insert(position, job) }
        state.commitSignal.signal()
    }

    /// Commits finished deliveries, if any, and returns the jobs of those that will not come again.
    func commit() async throws -> [(position: Position, job: Job)] {
        guard uncommitted.withLock({ !$0.isEmpty }) else { return [] }
        let offsets = try await consumer.commit()
        let committed = uncommitted.withLock { $0.removeCommitted(offsets) }
        return committed.compactMap { position, job in job.map { (position, $0) } }
    }

    func close() async { await consumer.close() }
}

struct QueueConsumers: Sendable {
    private let byQueue: [JobQueueKind: QueueConsumer]

    /// Joins all groups at the same time, so that the broker can make the memberships durable together.
    static func join(_ context: WorkerContext, transport: any Transport) async throws -> QueueConsumers {
        try await withThrowingTaskGroup(of: QueueConsumer.self) { group in
            for queue in JobQueueKind.allCases {
                group.addTask { try await QueueConsumer.join(queue, context, transport: transport) }
            }
            return QueueConsumers(byQueue: try await group.reduce(into: [:]) { $0[$1.queue] = $1 })
        }
    }

    /// By priority.
    var all: [QueueConsumer] { JobQueueKind.allCases.compactMap { byQueue[$0] } }

    func finish(_ delivery: JobDelivery) async {
        await byQueue[delivery.queue]?.finish(delivery.position, delivery.job)
    }

    /// Closes all at the same time: each may wait for an unresponsive broker.
    func close() async {
        await withTaskGroup { group in
            for consumer in all { group.addTask { await consumer.close() } }
        }
    }
}
