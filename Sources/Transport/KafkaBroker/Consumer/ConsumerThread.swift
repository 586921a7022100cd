internal import Broker
internal import Synchronization
internal import Concurrency

/// The one thread that talks to librdkafka for a consumer. It polls and never renders: so a member stays in its group
/// however long a job lasts, and every rebalance is answered at once.
///
/// Delivery, in steps: (1) records are fetched into the buffer; (2) a poll hands them out, and the ledger counts them
/// as in flight; (3) a commit writes the finished prefix of each partition, from this thread; (4) before a partition
/// goes, its finished prefix is committed inside the rebalance callback, unless it was lost already; what is in flight
/// then belongs to nobody here, and its finishing is ignored.
actor ConsumerThread {
    private nonisolated let executor = ThreadExecutor(name: "kafka-consumer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let core: ConsumerCore
    private let plan: ConsumerPlan
    private var client: ConsumerClient?
    private var mostRecentReassignment: ContinuousClock.Instant?
    private var mostRecentMeasure: ContinuousClock.Instant = .now
    private var mostRecentComparison: ContinuousClock.Instant = .now

    init(_ core: ConsumerCore, _ plan: ConsumerPlan) {
        self.core = core
        self.plan = plan
    }

    func start() throws(BrokerError) {
        do {
            let client = try plan.makeClient(core)
            core.listen(to: client)
            self.client = client
            if !core.state.withLock({ $0.hasLeft }) { try begin(client) }
        } catch {
            client?.abandon()
            client = nil
            throw plan.settings.explain(error)
        }
    }

    /// Joins the group, or begins where the reader stands.
    private func begin(_ client: ConsumerClient) throws(KafkaFault) {
        if let group = plan.group {
            try client.subscribe(group.topics)
        } else {
            try client.assign(core.state.withLock { $0.buffer.next })
        }
    }

    /// Occupies the thread until the consumer is closed.
    func run() {
        while let client, perform(core.state.withLock { $0.nextAction(now: .now) }, client) {
            measure(client)
            compare(client)
        }
        client = nil
        core.end()
    }

    /// Answers false when the work is over.
    private func perform(_ action: ConsumerState.Action, _ client: ConsumerClient) -> Bool {
        switch action {
        case .poll(let wait): return serve(client.poll(wait), client)
        case .rest(let wait): client.restQueue.rest(wait)
        case .pause(let partitions):
            client.pause(partitions)
            core.state.withLock { $0.performed(.pauses(partitions)) }
        case .resume(let partitions):
            client.resume(partitions)
            core.state.withLock { $0.performed(.resumes(partitions)) }
        case .commit(let offsets):
            plan.tellViolations(core)
            commit(offsets, client)
        case .leave(let silence):
            // What is finished is committed in the rebalance that follows.
            try? client.unsubscribe()
            core.state.withLock { $0.left() }
            core.wake()
            if let silence { plan.settings.tell(.silent(group: plan.group?.name ?? "", for: silence)) }
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

    /// Now and then, from what librdkafka was told by the way: nobody is asked.
    private func measure(_ client: ConsumerClient) {
        guard plan.group != nil, ContinuousClock.now - mostRecentMeasure > .seconds(2) else { return }
        mostRecentMeasure = .now
        let ranges = client.knownRanges(of: core.state.withLock { $0.buffer.partitions })
        core.state.withLock { $0.measured(ranges.mapValues(\.upperBound)) }
    }

    /// A topic that was deleted and made again has offsets of its own, and the group has none there. librdkafka says so
    /// where our place lies behind the new end; where it does not, we would wait for what is before us, or miss it.
    private func compare(_ client: ConsumerClient) {
        guard plan.group != nil, ContinuousClock.now - mostRecentComparison > plan.settings.times.comparison else {
            return
        }
        mostRecentComparison = .now
        let settled = core.state.withLock { $0.settled }
        guard !settled.isEmpty, let told = try? client.committed(Array(settled.keys), within: .seconds(2)) else {
            return
        }
        // A group that began at the oldest record and has not come further committed nothing.
        let oldest = client.knownRanges(of: settled.keys).mapValues(\.lowerBound)
        let behind = settled.keys.filter { told[$0] ?? oldest[$0] ?? 0 < settled[$0] ?? 0 }
        guard !behind.isEmpty else { return }
        var starts: [TopicPartition: Int64?] = [:]
        for place in behind {
            starts.updateValue(told[place], forKey: place)
            plan.settings.tell(.rewound(place, to: told[place] ?? 0))
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
                plan.settings.tell(.rewound(delivery.position.partition, to: delivery.position.offset))
            }
            core.wake()
        case .fault(let fault): meet(fault, client)
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
            // Whatever it was, it is tried again: an outage ends, and what a rebalance took is no longer asked for.
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

    // MARK: - Trouble

    private func meet(_ fault: KafkaFault, _ client: ConsumerClient) {
        client.handle.context.failed(fault)
        switch fault.kind {
        case .notAllowed, .unknownTopic, .authentication, .fenced:
            core.state.withLock { $0.failed(plan.settings.explain(fault)) }
        default: reassign(client)
        }
        core.wake()
    }

    /// After some errors librdkafka leaves a partition assigned and never fetches it: assigning all of them again,
    /// each from where it stands, sets those right and does the others no harm.
    private func reassign(_ client: ConsumerClient) {
        let next = core.state.withLock { $0.buffer.next }
        guard next.values.contains(where: { $0 == nil }) else { return }
        if let last = mostRecentReassignment, ContinuousClock.now - last < .seconds(10) { return }
        mostRecentReassignment = .now
        assignAgain(next, client)
    }

    /// Answers false where the consumer is of no use any more, and nothing helps.
    private func isUsable(_ client: ConsumerClient) -> Bool {
        let health = client.handle.context.health
        if let fatal = health.fatal {
            guard ![.fenced, .notAllowed].contains(fatal.kind) else {
                core.state.withLock { $0.failed(plan.settings.explain(fatal)) }
                core.wake()
                close(client)
                return false
            }
            return replace(client, "librdkafka gave up: \(fatal.text)")
        }
        let away = ContinuousClock.now - health.lastSeenWell
        guard away > plan.settings.times.withoutCoordinator else { return true }
        return replace(client, "no coordinator or broker for \(away.components.seconds) s")
    }

    /// Destroys the client on another thread, for it can hang, and makes a new one in its place.
    private func replace(_ old: ConsumerClient, _ why: String) -> Bool {
        ClientDisposer.dispose(old)
        client = nil
        core.state.withLock { state in
            _ = state.forgetPauses()
            state.replacedClient()
        }
        // A reader keeps what it has and goes on behind it; a member's partitions are anybody's now.
        if plan.group != nil {
            let partitions = core.state.withLock { $0.buffer.partitions }
            _ = core.letGo(partitions)
            core.state.withLock { $0.revoked(partitions) }
        }
        plan.settings.tell(.recreated("consumer: \(plan.settings.redact(why))"))
        do {
            try start()
        } catch {
            core.state.withLock { $0.failed(error) }
            return false
        }
        return true
    }
}
