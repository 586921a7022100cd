internal import Broker

/// What a consumer knows and what is asked of it: a value behind a mutex. The poll thread asks it what to do next, and
/// performs that.
struct ConsumerState {
    enum Action: Hashable, Sendable {
        /// Asks librdkafka for a record, and waits so long for one.
        case poll(Duration)
        /// Waits without taking records: a full partition may be emptied.
        case rest(Duration)
        case pause(Set<TopicPartition>)
        case resume(Set<TopicPartition>)
        case commit([TopicPartition: Int64])
        /// Leaves the group: because it was asked to, or because whoever asks for records stopped asking.
        case leave(silentFor: Duration?)
        case joinAgain
        case close
        case abandon
    }

    /// Nil for a reader, which keeps its offsets itself.
    private(set) var ledger: ConsumerLedger?
    private(set) var buffer = FetchBuffer()
    private var inFlight = InFlight()
    /// Offset after each partition's newest record, as far as it was told.
    private var ends: [TopicPartition: Int64] = [:]
    var commits = PendingCommits()
    /// Changes when something may be new for whoever waits.
    private(set) var version: UInt64 = 0
    private(set) var isClosing = false
    private var isAbandoned = false
    /// Thrown by the next poll that has nothing to hand out.
    private var problem: BrokerError?
    /// The member is to be out of its group.
    private var isAway = false
    /// The member left its group.
    private(set) var hasLeft = false
    private var lastAsked: ContinuousClock.Instant = .now
    private let longestSilence: Duration
    private var counters = KafkaStatistics.Consumer()
    private var violations: [String] = []

    /// - Parameter window: most records in flight.
    init(window: Int, longestSilence: Duration) {
        ledger = ConsumerLedger(window: window)
        self.longestSilence = longestSilence
    }

    /// A reader of these partitions, from these offsets.
    init(reading offsets: [TopicPartition: Int64?]) {
        longestSilence = .zero
        buffer.open(offsets)
    }

    // MARK: - Asked by whoever consumes

    /// - Throws: `closed`, or what went wrong since the last call.
    mutating func take(_ limit: Int, now: ContinuousClock.Instant) throws(BrokerError) -> [Delivery] {
        lastAsked = now
        let found = isClosing || isAway ? [] : take(limit)
        if ledger != nil { for delivery in found { inFlight.deliver(delivery.position, now: now) } }
        guard found.isEmpty else { return found }
        if let problem {
            // What is broken stays so; the rest may be over by the next call.
            if case .broken = problem { throw problem }
            self.problem = nil
            if !isClosing { throw problem }
        }
        guard !isClosing else { throw .closed }
        return []
    }

    private mutating func take(_ limit: Int) -> [Delivery] {
        guard !buffer.isEmpty else { return [] }
        guard var ledger else { return buffer.take(limit: limit) }
        defer { self.ledger = ledger }
        var found: [Delivery] = []
        for (partition, _) in ledger.nextRound() where buffer.holds(partition) && found.count < limit {
            let room = min(limit - found.count, ledger.room(in: partition))
            for delivery in buffer.take(partition, limit: room) where ledger.deliver(delivery.position) {
                found.append(delivery)
            }
        }
        return found
    }

    /// Answers whether deliveries that were held back may go on.
    mutating func finish(_ position: Position, now: ContinuousClock.Instant) -> Bool {
        lastAsked = now
        inFlight.finish(position)
        guard ledger?.finish(position).opens == true else { return false }
        version += 1
        return true
    }

    mutating func pause(_ topic: String) { ledger?.pause(topic) }

    mutating func resume(_ topic: String) {
        ledger?.resume(topic)
        version += 1
    }

    mutating func leave() { isAway = true }

    mutating func rejoin() {
        isAway = false
        lastAsked = .now
    }

    /// It left its group as it was asked to, and has no partition any more.
    var isOut: Bool { isAway && hasLeft && ledger?.assignment.isEmpty != false }

    /// - Parameter abandoning: nothing is committed and nobody told, as when the process is killed.
    mutating func close(abandoning: Bool = false) {
        isAbandoned = isAbandoned || (abandoning && !isClosing)
        isClosing = true
        version += 1
    }

    // MARK: - Told by the poll thread

    mutating func arrived(_ delivery: Delivery, now: ContinuousClock.Instant) -> FetchBuffer.Arrival {
        let arrival = buffer.add(delivery, now: now)
        let start = [delivery.position.partition: delivery.position.offset]
        switch arrival {
        // Where a group begins is what it committed, or the oldest record: neither needs a commit.
        case .begins: ledger?.commit(start)
        // In flight are records of a topic that is gone; the group's offset is one of it too.
        case .rewinds:
            ledger?.assign(start)
            inFlight.forget(start.keys)
        case .follows: break
        case .strays: return arrival
        }
        version += 1
        return arrival
    }

    /// - Parameter starts: where to begin; the first record tells where there is none.
    mutating func assigned(_ partitions: [TopicPartition], from starts: [TopicPartition: Int64]) {
        var offsets: [TopicPartition: Int64?] = [:]
        for partition in partitions { offsets.updateValue(starts[partition], forKey: partition) }
        buffer.open(offsets)
        inFlight.forget(partitions)
        ledger?.assign(offsets.mapValues { $0 ?? 0 })
        counters.rebalances += 1
        version += 1
    }

    /// Where this member stands in partitions of which it has nothing in hand: what the group must have committed.
    var settled: [TopicPartition: Int64] {
        (ledger?.committed ?? [:]).filter { place, offset in
            offset > 0 && ledger?.uncommitted[place] == nil && !buffer.holds(place) && !inFlight.holds([place])
        }
    }

    /// The group stands below where this member did: it goes on from there; nil is the oldest record.
    mutating func rewound(_ starts: [TopicPartition: Int64?]) {
        buffer.open(starts)
        inFlight.forget(starts.keys)
        ledger?.assign(starts.mapValues { $0 ?? 0 })
        version += 1
    }

    /// What is finished and not committed, every offset of it judged.
    mutating func toCommit() -> [TopicPartition: Int64] {
        let (good, complaints) = inFlight.judge(ledger?.uncommitted ?? [:])
        counters.violations += complaints.count
        violations += complaints
        return good
    }

    /// Sentences about commits that would have broken the rule, once.
    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    mutating func measured(_ ends: [TopicPartition: Int64]) { self.ends = ends }

    /// No more of these partitions is handed out: they are about to be taken away.
    mutating func leave(_ partitions: Set<TopicPartition>) { buffer.close(partitions) }

    /// True while any of their records was handed out and not finished, those left out that nobody will finish.
    func isAtWork(in partitions: Set<TopicPartition>, besides released: Set<Position>) -> Bool {
        !isClosing && inFlight.holds(partitions, besides: released)
    }

    mutating func revoked(_ partitions: Set<TopicPartition>) {
        _ = ledger?.revoke(partitions)
        inFlight.forget(partitions)
        buffer.close(partitions)
        version += 1
    }

    mutating func committed(_ offsets: [TopicPartition: Int64]) {
        ledger?.commit(offsets)
        if !offsets.isEmpty { counters.commits += 1 }
    }

    mutating func replacedClient() { counters.recreations += 1 }

    var statistics: KafkaStatistics.Consumer {
        var figures = counters
        figures.partitions = buffer.partitions.count
        figures.inFlight = ledger?.unfinished ?? 0
        figures.buffered = buffer.count
        figures.oldestPending = inFlight.oldest.map { .now - $0 } ?? .zero
        figures.lag = lag
        return figures
    }

    /// Records behind what is committed, handed out or not.
    private var lag: [TopicPartition: Int64] {
        ends.reduce(into: [:]) { lag, end in
            guard let next = ledger?.committed[end.key] else { return }
            lag[end.key] = max(0, end.value - next)
        }
    }

    mutating func failed(_ problem: BrokerError) {
        self.problem = problem
        version += 1
    }

    /// The poll thread rests, or has something to resume: it should look again.
    var isHeldUp: Bool { buffer.isHeldUp }

    /// Answers what was paused: the client that paused it goes, or is to resume it.
    mutating func forgetPauses() -> Set<TopicPartition> {
        defer { buffer.performed(.resumes(buffer.paused)) }
        return buffer.paused
    }

    mutating func performed(_ flow: FetchBuffer.Flow) { buffer.performed(flow) }

    mutating func left() {
        hasLeft = true
        version += 1
    }
    mutating func joinedAgain() { hasLeft = false }

    // MARK: - Deciding

    mutating func nextAction(now: ContinuousClock.Instant) -> Action {
        if isClosing { return isAbandoned ? .abandon : .close }
        if commits.isDue(now) {
            commits.begin()
            return .commit(toCommit())
        }
        if let leaving = leaving(now) { return leaving }
        if hasLeft, !isAway, now - lastAsked < longestSilence { return .joinAgain }
        switch buffer.flow(now: now) {
        case .resumes(let partitions): return .resume(partitions)
        case .pauses(let partitions): return .pause(partitions)
        case .rests(let end): return .rest(end - now)
        case .runs: return .poll(commits.wait(now, atMost: .seconds(1)))
        }
    }

    private func leaving(_ now: ContinuousClock.Instant) -> Action? {
        guard let ledger, !hasLeft else { return nil }
        if isAway { return .leave(silentFor: nil) }
        let silence = now - lastAsked
        return silence > longestSilence && !ledger.assignment.isEmpty ? .leave(silentFor: silence) : nil
    }
}
