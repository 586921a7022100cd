internal import Digest
internal import Jobs
public import Manifests
internal import Wire

extension BatchStatus {
    /// The protobuf message `BatchStatus`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `BatchStatus`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__batch_status__unpack) {
            (status) throws(RecordError) in try BatchStatus(wire: status)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__BatchStatus {
        var status = Rawmill__V1__BatchStatus()
        rawmill__v1__batch_status__init(&status)
        status.batch_id = arena.bytes(batch.bytes)
        status.submitted_milliseconds = submittedMilliseconds
        status.look = arena.text(look, limit: RecordLimit.name)
        status.lane = lane.wire
        status.phase = phase.wire
        status.counts = arena.pointer(to: counts.wire)
        status.epoch = epoch
        status.unchanged = unchanged
        status.failed_before = failedBefore
        status.unreadable = unreadable
        status.problem = arena.text(problem ?? "", limit: RecordLimit.message)
        status.refused = refused
        status.unseen = unseen
        status.refusal = arena.pointer(to: refusal?.wire(arena))
        status.links = links
        status.missing = missing
        status.not_raw = notRaw
        status.reused = reused
        status.files = arena.list(files.map { $0.wire(arena) })
        status.n_files = files.count
        return status
    }

    private init(wire status: Rawmill__V1__BatchStatus) throws(RecordError) {
        self.init(
            batch: try status.batch_id.batch("batch_id"), submittedMilliseconds: status.submitted_milliseconds,
            look: try status.look.text("look"), lane: try known(status.lane, "lane") { (lane: Lane) in lane.wire },
            phase: try known(status.phase, "phase") { (phase: Phase) in phase.wire },
            counts: JobCounts(wire: try required(status.counts, "counts")), epoch: status.epoch,
            unchanged: status.unchanged, failedBefore: status.failed_before, unreadable: status.unreadable,
            problem: try status.problem.optionalText("problem"), refused: status.refused,
            unseen: status.unseen, refusal: try Self.refusal(status), links: status.links, missing: status.missing,
            notRaw: status.not_raw, reused: status.reused, files: try Self.files(status))
    }
}

extension BatchStatus {
    private static func refusal(_ status: Rawmill__V1__BatchStatus) throws(RecordError) -> Refusal? {
        guard let refusal = status.refusal else { return nil }
        return try Refusal(wire: refusal.pointee)
    }

    private static func files(_ status: Rawmill__V1__BatchStatus) throws(RecordError) -> [FileGroup] {
        var groups: [FileGroup] = []
        for group in list(status.n_files, status.files) {
            if let group = try FileGroup(wire: group) { groups.append(group) }
        }
        return groups
    }
}

extension BatchStatus.Phase {
    fileprivate var wire: Rawmill__V1__BatchPhase {
        switch self {
        case .planning: RAWMILL__V1__BATCH_PHASE__BATCH_PHASE_PLANNING
        // Readers see from the counts that a running batch is completed.
        case .running, .completed: RAWMILL__V1__BATCH_PHASE__BATCH_PHASE_RUNNING
        case .paused: RAWMILL__V1__BATCH_PHASE__BATCH_PHASE_PAUSED
        case .cancelled: RAWMILL__V1__BATCH_PHASE__BATCH_PHASE_CANCELLED
        case .refused: RAWMILL__V1__BATCH_PHASE__BATCH_PHASE_REFUSED
        }
    }
}

extension CoordinatorStatus {
    /// The protobuf message `CoordinatorStatus`.
    public func encoded() -> [UInt8] { packed(wire) }

    /// Parses and validates the protobuf message `CoordinatorStatus`.
    public init(record bytes: [UInt8]) throws(RecordError) {
        self = try unpacked(bytes, limit: RecordLimit.record, rawmill__v1__coordinator_status__unpack) {
            (status) throws(RecordError) in try CoordinatorStatus(wire: status)
        }
    }

    private func wire(_ arena: Arena) -> Rawmill__V1__CoordinatorStatus {
        var status = Rawmill__V1__CoordinatorStatus()
        rawmill__v1__coordinator_status__init(&status)
        status.at_milliseconds = atMilliseconds
        status.counts = arena.pointer(to: counts.wire)
        let reasons = failures.map { $0.wire }
        status.failures = arena.list(reasons)
        status.n_failures = reasons.count
        status.paused = isPaused ? 1 : 0
        status.resumes = resumes
        status.engine = engine
        status.refused = refused
        status.unseen = unseen
        status.control_offset = controlOffset
        return status
    }

    private init(wire status: Rawmill__V1__CoordinatorStatus) throws(RecordError) {
        var failures: [ReasonCount] = []
        for count in list(status.n_failures, status.failures) { failures.append(try ReasonCount(wire: count)) }
        self.init(
            atMilliseconds: status.at_milliseconds, counts: JobCounts(wire: try required(status.counts, "counts")),
            failures: failures, isPaused: status.paused != 0, resumes: status.resumes, engine: status.engine,
            controlOffset: status.control_offset, refused: status.refused, unseen: status.unseen)
    }
}

extension CoordinatorStatus.ReasonCount {
    fileprivate var wire: Rawmill__V1__ReasonCount {
        var count = Rawmill__V1__ReasonCount()
        rawmill__v1__reason_count__init(&count)
        count.reason = reason.wire
        count.jobs = jobs
        return count
    }

    fileprivate init(wire count: Rawmill__V1__ReasonCount) throws(RecordError) {
        self.init(
            reason: try known(count.reason, "reason") { (reason: FailureReason) in reason.wire }, jobs: count.jobs)
    }
}

extension JobCounts {
    fileprivate var wire: Rawmill__V1__JobCounts {
        var counts = Rawmill__V1__JobCounts()
        rawmill__v1__job_counts__init(&counts)
        counts.accepted = UInt64(clamping: accepted)
        counts.open = UInt64(clamping: open)
        counts.catalogued = UInt64(clamping: catalogued)
        counts.degraded = UInt64(clamping: degraded)
        counts.failed = UInt64(clamping: failed)
        counts.cancelled = UInt64(clamping: cancelled)
        return counts
    }

    fileprivate init(wire counts: Rawmill__V1__JobCounts) {
        self.init(
            accepted: Int(clamping: counts.accepted), open: Int(clamping: counts.open),
            catalogued: Int(clamping: counts.catalogued), degraded: Int(clamping: counts.degraded),
            failed: Int(clamping: counts.failed), cancelled: Int(clamping: counts.cancelled))
    }
}
