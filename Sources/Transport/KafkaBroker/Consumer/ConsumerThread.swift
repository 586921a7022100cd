internal import Broker
internal import Synchronization
internal import Concurrency

/// The thread that talks to librdkafka for a consumer. It runs no jobs, so a long job cannot keep its member from
/// staying in the group and joining every rebalance at once.
///
/// 1. Records are fetched into the buffer.
/// 2. A poll delivers them, and the tracker counts them as in flight.
/// 3. A commit, made by this thread, writes the finished prefix of each partition.
/// 4. Before a partition is revoked, the rebalance callback commits its finished prefix, unless the partition was lost
///    already. The member then gives up its records in flight there: finishing them has no effect.
actor ConsumerThread {
    private nonisolated let executor = ThreadExecutor(name: "kafka-consumer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let core: ConsumerCore
    private let plan: ConsumerPlan
    private var client: ConsumerClient?
    /// Whether the cluster has responded to this client: the coordinator to a member, any broker to a reader, which may
    /// wait long for a record.
    private var hasAnswer = false
    private var lastReassignment: ContinuousClock.Instant?
    private var lastMeasurement: ContinuousClock.Instant = .now
    private var lastOffsetCheck: ContinuousClock.Instant = .now

    init(_ core: ConsumerCore, _ plan: ConsumerPlan) {
        self.core = core
        self.plan = plan
    }

    func start() throws(BrokerError) {
        do {
            let client = try plan.makeClient(core)
            core.listen(to: client)
            self.client = client
            hasAnswer = plan.group != nil
            if !core.state.withLock({ $0.hasLeft }) { try begin(client) }
        } catch {
            client?.abandon()
            client = nil
            throw plan.settings.explain(error)
        }
    }

    private func begin(_ client: ConsumerClient) throws(KafkaFault) {
        if let group = plan.group {
            try client.subscribe(group.topics)
        } else {
            try client.assign(core.state.withLock { $0.buffer.next })
        }
    }

    func run() {
        while let client, perform(core.state.withLock { $0.nextAction(now: .now) }, client) {
            measure(client)
            checkOffsets(client)
        }
        client = nil
        core.end()
    }

    /// Returns false when the thread should end.
    private func perform(_ action: ConsumerState.Action, _ client: ConsumerClient) -> Bool {
        switch action {
        case .poll(let wait):
            let event = client.poll(hasAnswer ? wait : min(wait, .milliseconds(50)))
            if !hasAnswer, client.knowsCluster {
                hasAnswer = true
                client.handle.context.answered()
            }
            return serve(event, client)
        case .wait(let time): client.waitQueue.wait(time)
        case .pause(let partitions):
            client.pause(partitions)
            core.state.withLock { $0.performed(.pauses(partitions)) }
        case .resume(let partitions):
            client.resume(partitions)
            core.state.withLock { $0.performed(.resumes(partitions)) }
        case .commit(let offsets):
            plan.reportViolations(core)
            commit(offsets, client)
        case .leave(let silence):
            // The following rebalance commits the finished records.
            try? client.unsubscribe()
            core.state.withLock { $0.left() }
            core.wake()
            if let silence { plan.settings.report(.silent(group: plan.group?.name ?? "", for: silence)) }
        case .joinAgain:
            try? begin(client)
            core.state.withLock { $0.joinedAgain() }
        case .close:
            close(client)
            return false
        case .abandon:
            client.abandon()
            return false
        }
        return true
    }

    /// Updates the lag from time to time, with the ends that librdkafka knows from the last fetches, without a request.
    private func measure(_ client: ConsumerClient) {
        guard plan.group != nil, ContinuousClock.now - lastMeasurement > .seconds(2) else { return }
        lastMeasurement = .now
        let ranges = client.knownRanges(of: core.state.withLock { $0.buffer.partitions })
        core.state.withLock { $0.measured(ranges.mapValues(\.upperBound)) }
    }

    /// Compares the offsets of idle partitions with the group's, to notice a topic that was deleted and created again:
    /// the group has no offsets in the new one. librdkafka only reports offsets beyond the new end; with a lower
    /// offset, records would be missed.
    private func checkOffsets(_ client: ConsumerClient) {
        guard plan.group != nil, ContinuousClock.now - lastOffsetCheck > plan.settings.times.offsetCheck else {
            return
        }
        lastOffsetCheck = .now
        let idleOffsets = core.state.withLock { $0.idleOffsets }
        guard !idleOffsets.isEmpty, let committed = try? client.committed(Array(idleOffsets.keys), within: .seconds(2))
        else {
            return
        }
        // A group without a committed offset began at the oldest record and has not finished any.
        let oldest = client.knownRanges(of: idleOffsets.keys).mapValues(\.lowerBound)
        let behind = idleOffsets.keys.filter { committed[$0] ?? oldest[$0] ?? 0 < idleOffsets[$0] ?? 0 }
        guard !behind.isEmpty else { return }
        var starts: [TopicPartition: Int64?] = [:]
        for partition in behind {
            starts.updateValue(committed[partition], forKey: partition)
            plan.settings.report(.rewound(partition, to: committed[partition] ?? 0))
        }
        let next = core.state.withLock { state in
            state.rewound(starts)
            return state.buffer.next
        }
        assignAgain(next, client)
        core.wake()
    }

    private func assignAgain(_ next: [TopicPartition: Int64?], _ client: ConsumerClient) {
        client.resume(core.state.withLock { $0.forgetPauses() })
        try? client.assign(next)
    }

    private func serve(_ event: ConsumerClient.Event, _ client: ConsumerClient) -> Bool {
        switch event {
        case .record(let delivery):
            let arrival = core.state.withLock { $0.arrived(delivery, now: .now) }
            if arrival == .rewinds {
                plan.settings.report(.rewound(delivery.position.partition, to: delivery.position.offset))
                // A group's offsets were lost with the topic. Those of a reader are kept elsewhere.
                if plan.group == nil {
                    core.replaced(.replacedTopic(plan.settings.clusterName.own(delivery.position.partition.topic)))
                }
            }
            core.wake()
        case .fault(let fault): handle(fault, client)
        case .nothing: return isUsable(client)
        }
        return true
    }

    // MARK: - Committing

    private func commit(_ offsets: [TopicPartition: Int64], _ client: ConsumerClient) {
        do throws(KafkaFault) {
            if !offsets.isEmpty { try client.commit(offsets, within: plan.settings.times.commitAttempt) }
            let served = core.state.withLock { state in
                state.committed(offsets)
                return state.commits.succeeded()
            }
            for call in served { call.resume() }
        } catch {
            // Always retry: an outage ends, and the next attempt leaves out revoked partitions.
            let over = core.state.withLock { $0.commits.failed(.now) }
            let error = BrokerError.unavailable(
                "finished records were not committed: \(plan.settings.redact(error.text))")
            for call in over { call.resume(throwing: error) }
        }
    }

    private func close(_ client: ConsumerClient) {
        plan.commitLast(core, client)
        client.close()
    }

    // MARK: - Errors

    private func handle(_ fault: KafkaFault, _ client: ConsumerClient) {
        client.handle.context.failed(fault)
        switch fault.kind {
        case .notAllowed, .unknownTopic, .authentication, .fenced:
            core.state.withLock { $0.failed(plan.explain(fault)) }
        default: reassign(client)
        }
        core.wake()
    }

    /// Assigns all partitions again, each at its current offset. After some errors, librdkafka keeps a partition
    /// assigned but never fetches it. This repairs it, and does not affect the others.
    private func reassign(_ client: ConsumerClient) {
        let next = core.state.withLock { $0.buffer.next }
        guard next.values.contains(where: { $0 == nil }) else { return }
        if let last = lastReassignment, ContinuousClock.now - last < .seconds(10) { return }
        lastReassignment = .now
        assignAgain(next, client)
    }

    /// Replaces the client if necessary. Returns false if the consumer cannot continue.
    private func isUsable(_ client: ConsumerClient) -> Bool {
        let health = client.handle.context.health
        if let fatal = health.fatal {
            guard ![.fenced, .notAllowed].contains(fatal.kind) else {
                core.state.withLock { $0.failed(plan.explain(fatal)) }
                core.wake()
                close(client)
                return false
            }
            return replace(client, "librdkafka failed: \(fatal.text)")
        }
        let away = ContinuousClock.now - health.lastSeenWell
        guard away > plan.settings.times.maxDisconnection else { return true }
        return replace(client, "no coordinator or broker for \(away.components.seconds) s")
    }

    /// Creates a new client, and destroys the old one on another thread, because that can hang.
    private func replace(_ old: ConsumerClient, _ why: String) -> Bool {
        ClientDisposer.dispose(old)
        client = nil
        core.state.withLock { state in
            _ = state.forgetPauses()
            state.replacedClient()
        }
        // A reader continues after the records that it has. A member's partitions may belong to other members by now.
        if plan.group != nil {
            let partitions = core.state.withLock { $0.buffer.partitions }
            _ = core.releaseDelivered(partitions)
            core.state.withLock { $0.revoked(partitions) }
        }
        plan.settings.report(.recreated("consumer: \(plan.settings.redact(why))"))
        do {
            try start()
        } catch {
            core.state.withLock { $0.failed(error) }
            return false
        }
        return true
    }
}
