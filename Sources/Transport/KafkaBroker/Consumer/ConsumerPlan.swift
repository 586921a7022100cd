internal import Broker
internal import Synchronization

/// What a consumer consumes, and how: everything needed to create its client, and to replace it.
struct ConsumerPlan: Sendable {
    struct Group: Hashable, Sendable {
        let name: String
        let topics: [String]
        /// The name by which the group recognises the member after a restart.
        let instanceID: String?
    }

    let settings: KafkaSettings
    let deadline: TransportDeadline
    let group: Group?
    var readsSingleRecords = false

    func explain(_ fault: KafkaFault) -> BrokerError {
        settings.explain(fault, group: group?.name ?? settings.readersGroup, "Read")
    }

    func makeClient(_ core: ConsumerCore) throws(KafkaFault) -> ConsumerClient {
        let context = ClientContext(isMember: group != nil, report: settings.report)
        let properties =
            readsSingleRecords
            ? settings.singleRecordProperties
            : settings.consumerProperties(group: group?.name, instanceID: group?.instanceID)
        let client = try ConsumerClient(properties, context)
        guard let group else { return client }
        context.onRebalance = { [weak client] rebalance in
            defer { core.wake() }
            switch rebalance {
            case .assigned(let partitions):
                guard let client, let committed = self.committed(partitions, core, client) else { return nil }
                core.state.withLock { $0.assigned(partitions, from: committed) }
                settings.report(.assigned(partitions, group: group.name))
                return Self.starts(of: partitions, committed: committed)
            case .revoked(let partitions, let lost):
                let taken = Set(partitions)
                // Resume these below, because librdkafka keeps a pause for the next assignment.
                let paused = core.state.withLock { $0.buffer.paused.intersection(taken) }
                let released = core.releaseDelivered(taken)
                if let client, !lost {
                    if let released { finishLast(taken, besides: released, core, client) }
                    commitLast(core, client)
                }
                core.state.withLock { $0.revoked(taken) }
                client?.resume(paused)
                settings.report(.revoked(partitions, group: group.name, lost: lost))
                return nil
            }
        }
        return client
    }

    static func starts(of partitions: [TopicPartition], committed: [TopicPartition: Int64]) -> [TopicPartition: Int64] {
        let starts = partitions.map { ($0, committed[$0] ?? ConsumerClient.oldest) }
        return Dictionary(starts) { first, _ in first }
    }

    /// The group's committed offsets; nil if no broker returns them. The client is then replaced, and the next one
    /// tries again.
    ///
    /// librdkafka could look them up, but version 2.0.2 has three bugs there. If the lookup fails, the partition is
    /// never read. A late response moves a partition that was assigned again. And, according to its source, a client
    /// that is destroyed meanwhile can read a null pointer.
    private func committed(
        _ partitions: [TopicPartition], _ core: ConsumerCore, _ client: ConsumerClient
    ) -> [TopicPartition: Int64]? {
        guard !partitions.isEmpty else { return [:] }
        let deadline = ContinuousClock.now + settings.times.request
        while true {
            do throws(KafkaFault) {
                return try client.committed(partitions, within: settings.times.lastCommit)
            } catch {
                // A new coordinator has to load its offsets first, so try again.
                guard !core.state.withLock({ $0.isClosing }) else { return nil }
                guard error.isTransient, ContinuousClock.now < deadline else {
                    let text = "the group's offsets were not committed: \(error.text)"
                    client.handle.context.failed(KafkaFault(code: error.code, text: text, isFatal: true))
                    return nil
                }
                client.waitQueue.wait(.milliseconds(100))
            }
        }
    }

    func reportViolations(_ core: ConsumerCore) {
        for text in core.state.withLock({ $0.takeViolations() }) { settings.report(.violation(text)) }
    }

    /// Waits for records in flight to finish, up to `times.handover`, so that the next member does not repeat them.
    /// Most finish in a moment; one long job must not delay the group.
    private func finishLast(
        _ partitions: Set<TopicPartition>, besides released: Set<Position>, _ core: ConsumerCore,
        _ client: ConsumerClient
    ) {
        let deadline = ContinuousClock.now + settings.times.handover
        while core.state.withLock({ $0.isAtWork(in: partitions, besides: released) }), ContinuousClock.now < deadline {
            client.waitQueue.wait(.milliseconds(10))
        }
    }

    /// Commits the finished records before the partitions are revoked. If that does not succeed within
    /// `times.lastCommit`, the next member repeats them.
    func commitLast(_ core: ConsumerCore, _ client: ConsumerClient) {
        let offsets = core.state.withLock { $0.toCommit() }
        reportViolations(core)
        let end = deadline.limited(.now + settings.times.lastCommit)
        while !offsets.isEmpty && ContinuousClock.now < end {
            do throws(KafkaFault) {
                try client.commit(offsets, within: end - .now)
                return core.state.withLock { $0.committed(offsets) }
            } catch {
                // A coordinator that moves or restarts is back soon, and the assignment is still valid.
                guard [.noCoordinator, .noBroker, .timedOut].contains(error.kind) else {
                    return settings.report(.problem("finished records were not committed: \(error.text)"))
                }
                client.waitQueue.wait(.milliseconds(100))
            }
        }
    }
}
