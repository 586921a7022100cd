internal import Broker
internal import Synchronization

/// What a consumer is to be: enough to make its client, and to make it again.
struct ConsumerPlan: Sendable {
    struct Group: Hashable, Sendable {
        let name: String
        let topics: [String]
        /// The name by which the group knows the member again after a restart.
        let instanceID: String?
    }

    let settings: KafkaSettings
    /// Nil for a reader.
    let group: Group?

    func makeClient(_ core: ConsumerCore) throws(KafkaFault) -> ConsumerClient {
        let context = ClientContext(isMember: group != nil, tell: settings.tell)
        let properties = settings.consumerProperties(group: group?.name, instanceID: group?.instanceID)
        let client = try ConsumerClient(properties, context)
        guard let group else { return client }
        context.onRebalance = { [weak client] rebalance in
            defer { core.wake() }
            switch rebalance {
            case .assigned(let partitions):
                guard let client, let told = self.committed(partitions, core, client) else { return nil }
                core.state.withLock { $0.assigned(partitions, from: told) }
                settings.tell(.assigned(partitions, group: group.name))
                return Self.starts(of: partitions, committed: told)
            case .revoked(let partitions, let lost):
                let taken = Set(partitions)
                // librdkafka would remember a pause for the next time they are assigned.
                let paused = core.state.withLock { $0.buffer.paused.intersection(taken) }
                let released = core.letGo(taken)
                if let client, !lost {
                    if let released { finishLast(taken, besides: released, core, client) }
                    commitLast(core, client)
                }
                core.state.withLock { $0.revoked(taken) }
                client?.resume(paused)
                settings.tell(.revoked(partitions, group: group.name, lost: lost))
                return nil
            }
        }
        return client
    }

    /// Numbers for all of them: nothing is left to librdkafka to look up.
    static func starts(of partitions: [TopicPartition], committed: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        let starts = partitions.map { ($0, committed[$0] ?? ConsumerClient.oldest) }
        return Dictionary(starts) { first, _ in first }
    }

    /// Where the group stands; nil where nobody answers: the client is given up then, and the next one asks again.
    ///
    /// librdkafka would ask by itself; but where its question fails in 2.0.2, the partition is never read; an answer that
    /// comes late moves a partition that was assigned anew; and by its source a client that is destroyed meanwhile can read
    /// a null pointer.
    private func committed(
        _ partitions: [TopicPartition], _ core: ConsumerCore, _ client: ConsumerClient
    ) -> [TopicPartition: Int64]? {
        guard !partitions.isEmpty else { return [:] }
        let deadline = ContinuousClock.now + settings.times.answer
        while true {
            do throws(KafkaFault) {
                return try client.committed(partitions, within: settings.times.lastCommit)
            } catch {
                // A coordinator that has just moved loads its offsets first.
                guard !core.state.withLock({ $0.isClosing }) else { return nil }
                guard error.isPassing, ContinuousClock.now < deadline else {
                    let text = "the group's offsets were not told: \(error.text)"
                    client.handle.context.failed(KafkaFault(code: error.code, text: text, isFatal: true))
                    return nil
                }
                client.restQueue.rest(.milliseconds(100))
            }
        }
    }

    func tellViolations(_ core: ConsumerCore) {
        for text in core.state.withLock({ $0.takeViolations() }) { settings.tell(.violation(text)) }
    }

    /// Waits for what is being worked on. It is done in a moment mostly, and would be done again by whoever has the
    /// partition next; but one long job must not hold up the group.
    private func finishLast(
        _ partitions: Set<TopicPartition>, besides released: Set<Position>, _ core: ConsumerCore,
        _ client: ConsumerClient
    ) {
        let deadline = ContinuousClock.now + settings.times.handOver
        while core.state.withLock({ $0.isAtWork(in: partitions, besides: released) }), ContinuousClock.now < deadline {
            client.restQueue.rest(.milliseconds(10))
        }
    }

    /// Commits what is finished before it is out of reach. What cannot be committed within the time is done again by
    /// whoever has the partition next.
    func commitLast(_ core: ConsumerCore, _ client: ConsumerClient) {
        let offsets = core.state.withLock { $0.toCommit() }
        tellViolations(core)
        let deadline = ContinuousClock.now + settings.times.lastCommit
        while !offsets.isEmpty && ContinuousClock.now < deadline {
            do throws(KafkaFault) {
                try client.commit(offsets, within: deadline - .now)
                return core.state.withLock { $0.committed(offsets) }
            } catch {
                // A coordinator that moves or restarts is back in a moment, and the assignment is still ours.
                guard [.noCoordinator, .noBroker, .timedOut].contains(error.kind) else {
                    return settings.tell(.problem("finished records were not committed: \(error.text)"))
                }
                client.restQueue.rest(.milliseconds(100))
            }
        }
    }
}
