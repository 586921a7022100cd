internal import Broker

/// The state of a consumer, a value behind a mutex. The poll thread gets the next action from it, performs the action,
/// and reports the result.
struct ConsumerState {
    enum Action: Hashable, Sendable {
        /// Poll librdkafka for a record, for at most this long.
        case poll(Duration)
        /// Wait without polling: a full partition may be emptied meanwhile.
        case wait(Duration)
        case pause(Set<TopicPartition>)
        case resume(Set<TopicPartition>)
        case commit([TopicPartition: Int64])
        /// Leave the group, on request or because no records were requested for `silentFor`.
        case leave(silentFor: Duration?)
        case joinAgain
        case close
        case abandon
    }

    /// Nil for a reader, which keeps its own offsets.
    private(set) var tracker: AssignmentTracker?
    private(set) var buffer = FetchBuffer()
    private var inFlight = InFlightRecords()
    /// For readers: a record of each partition that identifies the topic. The first that was read, unless the reader
    /// continues where another one stopped.
    private(set) var known: [TopicPartition: KnownRecord] = [:]
    var commits = PendingCommits()
    /// Increases whenever waiting callers should check the state again.
    private(set) var version: UInt64 = 0
    private(set) var isClosing = false
    private var isAbandoned = false
    /// Thrown by the next poll that has no records.
    private var problem: BrokerError?
    /// Thrown by every poll from now on: the broker that the offsets belong to is gone.
    private var replacement: BrokerError?
    /// Whether the member should stay out of its group.
    private var isAway = false
    private(set) var hasLeft = false
    private var lastAsked: ContinuousClock.Instant = .now
    private let maxIdle: Duration
    private var figures = ConsumerFigures()

    /// A member of a group, without partitions.
    ///
    /// - Parameters:
    ///   - window: the maximum number of records in flight.
    ///   - maxIdle: how long the member stays in the group without a request for records.
    init(window: Int, maxIdle: Duration) {
        tracker = AssignmentTracker(window: window)
        self.maxIdle = maxIdle
    }

    /// A reader of partitions from the given offsets; nil means the oldest record. `known` are records that were read
    /// before.
    init(reading offsets: [TopicPartition: Int64?], known: [TopicPartition: KnownRecord] = [:]) {
        maxIdle = .zero
        self.known = known
        buffer.open(offsets)
    }

    // MARK: - For the consumer

    /// Returns records to deliver, which are in flight from now on. Throws `closed`, or the error since the last call.
    mutating func take(_ limit: Int, now: ContinuousClock.Instant) throws(BrokerError) -> [Delivery] {
        lastAsked = now
        if let replacement { throw replacement }
        let found = isClosing || isAway ? [] : take(limit)
        if tracker != nil { for delivery in found { inFlight.deliver(delivery.position, now: now) } }
        guard found.isEmpty else { return found }
        if let problem {
            // A broken state persists. Anything else may be over by the next call.
            if case .broken = problem { throw problem }
            self.problem = nil
            if !isClosing { throw problem }
        }
        guard !isClosing else { throw .closed }
        return []
    }

    private mutating func take(_ limit: Int) -> [Delivery] {
        guard !buffer.isEmpty else { return [] }
        guard var tracker else { return buffer.take(limit: limit) }
        defer { self.tracker = tracker }
        var found: [Delivery] = []
        for (partition, _) in tracker.nextFetches() where buffer.holds(partition) && found.count < limit {
            let capacity = min(limit - found.count, tracker.capacity(of: partition))
            for delivery in buffer.take(partition, limit: capacity) where tracker.deliver(delivery.position) {
                found.append(delivery)
            }
        }
        return found
    }

    /// Marks a record as finished. Returns whether records that were held back can be delivered now.
    mutating func finish(_ position: Position, now: ContinuousClock.Instant) -> Bool {
        lastAsked = now
        inFlight.finish(position)
        guard tracker?.finish(position).frees == true else { return false }
        version += 1
        return true
    }

    mutating func pause(_ topic: String) { tracker?.pause(topic) }

    mutating func resume(_ topic: String) {
        tracker?.resume(topic)
        version += 1
    }

    mutating func leave() { isAway = true }

    mutating func rejoin() {
        isAway = false
        lastAsked = .now
    }

    /// Whether the member has left its group as requested, and has no partitions.
    var isOut: Bool { isAway && hasLeft && tracker?.assignment.isEmpty != false }

    /// - Parameter abandoning: whether to end without a commit and without leaving the group, as a killed process does.
    mutating func close(abandoning: Bool = false) {
        isAbandoned = isAbandoned || (abandoning && !isClosing)
        isClosing = true
        version += 1
    }

    /// Ends the consumer because another broker has replaced the one of its offsets. Nothing more is delivered or
    /// committed.
    mutating func replaced(_ error: BrokerError) {
        guard !isClosing else { return }
        replacement = error
        close()
    }

    // MARK: - Reports of the poll thread

    mutating func arrived(_ delivery: Delivery, now: ContinuousClock.Instant) -> FetchBuffer.Arrival {
        let arrival = buffer.add(delivery, now: now)
        let start = [delivery.position.partition: delivery.position.offset]
        switch arrival {
        // A group begins at its committed offset or at the oldest record. Neither needs a commit.
        case .begins: tracker?.commit(start)
        // The records in flight and the group's offset belong to a deleted topic.
        case .rewinds:
            tracker?.assign(start)
            inFlight.forget(start.keys)
        case .follows: break
        case .notAssigned: return arrival
        }
        if tracker == nil, known[delivery.position.partition] == nil {
            known[delivery.position.partition] = KnownRecord(delivery)
        }
        version += 1
        return arrival
    }

    /// Forgets records that the topic no longer has. The next ones to arrive take their places.
    mutating func forgetKnown(_ records: [TopicPartition: KnownRecord]) {
        for (partition, record) in records where known[partition] == record { known[partition] = nil }
    }

    /// - Parameter starts: where to begin; a partition without an entry begins at its first record to arrive.
    mutating func assigned(_ partitions: [TopicPartition], from starts: [TopicPartition: Int64]) {
        var offsets: [TopicPartition: Int64?] = [:]
        for partition in partitions { offsets.updateValue(starts[partition], forKey: partition) }
        buffer.open(offsets)
        inFlight.forget(partitions)
        tracker?.assign(offsets.mapValues { $0 ?? 0 })
        figures.recordAssignment()
        version += 1
    }

    /// The committed offsets of partitions without records in the buffer or in flight. They must equal the group's
    /// offsets.
    var idleOffsets: [TopicPartition: Int64] {
        (tracker?.committed ?? [:]).filter { partition, offset in
            offset > 0 && tracker?.uncommitted[partition] == nil && !buffer.holds(partition)
                && !inFlight.holds([partition])
        }
    }

    /// Continues from the group's offsets, which are below this member's. Nil means the oldest record.
    mutating func rewound(_ starts: [TopicPartition: Int64?]) {
        buffer.open(starts)
        inFlight.forget(starts.keys)
        tracker?.assign(starts.mapValues { $0 ?? 0 })
        version += 1
    }

    mutating func toCommit() -> [TopicPartition: Int64] {
        guard replacement == nil else { return [:] }
        let (good, complaints) = inFlight.judge(tracker?.uncommitted ?? [:])
        figures.record(complaints)
        return good
    }

    mutating func takeViolations() -> [String] { figures.takeViolations() }

    mutating func measured(_ ends: [TopicPartition: Int64]) { figures.measured(ends) }

    /// Stops deliveries of these partitions, which are about to be revoked.
    mutating func leave(_ partitions: Set<TopicPartition>) { buffer.close(partitions) }

    /// Whether any record of the partitions is in flight, apart from released ones, which will not be finished.
    func isAtWork(in partitions: Set<TopicPartition>, besides released: Set<Position>) -> Bool {
        !isClosing && inFlight.holds(partitions, besides: released)
    }

    mutating func revoked(_ partitions: Set<TopicPartition>) {
        _ = tracker?.revoke(partitions)
        inFlight.forget(partitions)
        buffer.close(partitions)
        version += 1
    }

    mutating func committed(_ offsets: [TopicPartition: Int64]) {
        tracker?.commit(offsets)
        if !offsets.isEmpty { figures.recordCommit() }
    }

    mutating func replacedClient() { figures.recordRecreation() }

    var statistics: KafkaStatistics.Consumer {
        var statistics = figures.statistics(committed: tracker?.committed ?? [:])
        statistics.partitions = buffer.partitions.count
        statistics.inFlight = tracker?.unfinished ?? 0
        statistics.buffered = buffer.count
        statistics.oldestPending = inFlight.oldest.map { .now - $0 } ?? .zero
        return statistics
    }

    mutating func failed(_ problem: BrokerError) {
        self.problem = problem
        version += 1
    }

    var needsThread: Bool { buffer.needsThread }

    /// Forgets and returns the paused partitions, because their client is replaced or will resume them.
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

    // MARK: - Decisions

    mutating func nextAction(now: ContinuousClock.Instant) -> Action {
        if isClosing { return isAbandoned ? .abandon : .close }
        if commits.isDue(now) {
            commits.begin()
            return .commit(toCommit())
        }
        if let leaving = leaving(now) { return leaving }
        if hasLeft, !isAway, now - lastAsked < maxIdle { return .joinAgain }
        switch buffer.flow(now: now) {
        case .resumes(let partitions): return .resume(partitions)
        case .pauses(let partitions): return .pause(partitions)
        case .waits(let end): return .wait(end - now)
        case .runs: return .poll(commits.wait(now, max: .seconds(1)))
        }
    }

    private func leaving(_ now: ContinuousClock.Instant) -> Action? {
        guard let tracker, !hasLeft else { return nil }
        if isAway { return .leave(silentFor: nil) }
        let silence = now - lastAsked
        return silence > maxIdle && !tracker.assignment.isEmpty ? .leave(silentFor: silence) : nil
    }
}
