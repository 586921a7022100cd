internal import Broker
internal import Jobs
internal import Storage
internal import Synchronization
internal import Telemetry

/// What a worker has while it is in the group.
struct Membership: Sendable {
    let cluster: String
    let outbound: Outbound
    let consumers: [JobQueueKind: any GroupConsumer]
    let ledgers: [JobQueueKind: DeliveryBook]
}

/// A ledger shared by the tasks of one queue.
final class DeliveryBook: Sendable {
    let ledger = Mutex(DeliveryLedger())
}

extension RenderWorker {
    /// Warm first, then a member: a job that is delivered is begun at once.
    func work() async throws {
        try await warmAll()
        // One that is to end, before or meanwhile, does not wait for a cluster that does not answer.
        let rings = turnBell.rings
        let heard = state.withLock { $0.phase == .working } ? rings : 0
        let membership = try await turnBell.interrupting(beyond: heard) { try await self.join() }
        await sweep(membership)
        await readStatusOnce()
        log.info(.workerStarted, [.count: .init(slots.count)])
        observe(.ready(slots: slots.count))
        let result = await attempt { try await self.serve(membership) }
        let left = await attempt { try await self.leave(membership) }
        log.info(.workerEnded)
        try result.get()
        try left.get()
        if case .storage(let failure) = state.withLock({ $0.pause }), settings.withoutStorage == .end {
            throw WorkerError.storage(failure)
        }
    }

    /// What earlier workers left behind costs nothing but names: no reason to fail for.
    private func sweep(_ membership: Membership) async {
        var committed: [TopicPartition: Int64] = [:]
        for queue in JobQueueKind.allCases {
            let group = WorkerGroup.name(topic: queue.topic)
            let offsets = (try? await transport.committed(group: group, topic: queue.topic)) ?? [:]
            for (partition, offset) in offsets {
                committed[TopicPartition(topic: queue.topic, partition: partition)] = offset
            }
        }
        let attempts = attempts(membership)
        let known = committed
        await slots[0].blocking { _ = try? attempts.sweep(committed: known) }
    }

    private func attempt(_ body: @Sendable () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    private func warmAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in slots {
                group.addTask {
                    if let problem = await slot.warm() { throw WorkerError.cannotRender(problem) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func join() async throws -> Membership {
        let consumers = try await joinGroups()
        let outbound = Outbound(
            producer: try await transport.producer(), worker: settings.name, log: log,
            isAborted: isAborted)
        return Membership(
            cluster: try await transport.clusterID(), outbound: outbound, consumers: consumers,
            ledgers: consumers.mapValues { _ in DeliveryBook() })
    }

    /// Side by side: a broker makes each membership durable, and can do so for all of them at once.
    private func joinGroups() async throws -> [JobQueueKind: any GroupConsumer] {
        try await withThrowingTaskGroup(of: (JobQueueKind, any GroupConsumer).self) { group in
            for queue in JobQueueKind.allCases { group.addTask { (queue, try await self.join(queue)) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
    }

    private func join(_ queue: JobQueueKind) async throws -> any GroupConsumer {
        let consumer = try await transport.consumer(
            group: WorkerGroup.name(topic: queue.topic), topics: [queue.topic],
            inFlight: queue.window(slots: slots.count))
        await consumer.whenLeaving { [weak self] partitions in
            self?.change { $0.release(partitions) } ?? []
        }
        return consumer
    }

    /// Runs the slots to their end, and beside them all that serves them.
    private func serve(_ membership: Membership) async throws {
        try await withThrowingTaskGroup(of: Void.self) { helpers in
            for queue in JobQueueKind.allCases { helpers.addTask { try await self.pull(queue, membership) } }
            helpers.addTask { await self.commit(membership) }
            helpers.addTask { await self.watchStorage() }
            helpers.addTask { await self.beat(membership) }
            helpers.addTask { await self.followStatus() }
            helpers.addTask { try await self.runSlots(membership) }
            // All of them end when the worker is stopped. The first that fails has the others stop, too.
            while let result = await helpers.nextResult() {
                if case .failure(let error) = result {
                    change { if $0.phase == .working { $0.stop() } }
                    try await drain(&helpers)
                    throw error
                }
            }
        }
    }

    private func drain(_ group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        while await group.nextResult() != nil {}
    }

    private func runSlots(_ membership: Membership) async throws {
        defer { change { if $0.phase == .working { $0.stop() } } }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in slots { group.addTask { try await self.run(slot, membership) } }
            while let result = await group.nextResult() {
                guard case .failure(let error) = result else { continue }
                change { if $0.phase == .working { $0.stop() } }
                while await group.nextResult() != nil {}
                throw error
            }
        }
    }

    private func leave(_ membership: Membership) async throws {
        // The kernel takes a while to take a photo's memory apart.
        async let retired: Void = retireAll()
        try? await commitNow(membership)
        for consumer in membership.consumers.values { await consumer.close() }
        if settings.heartbeat != nil {
            // A worker that is gone has no status.
            let farewell = Record(key: Array(settings.name.utf8), value: nil)
            _ = try? await membership.outbound.producer.send([farewell], to: Topics.workers)
        }
        await membership.outbound.producer.close()
        await retired
    }

    private func retireAll() async {
        await withTaskGroup(of: Void.self) { group in
            for slot in slots { group.addTask { await slot.retire() } }
        }
    }
}
