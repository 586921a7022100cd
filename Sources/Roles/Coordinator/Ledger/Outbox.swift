internal import Broker
internal import Clock
internal import Database
internal import Digest
internal import Jobs
internal import Records

struct OutboxEntry: Hashable, Sendable {
    let sequence: Int64
    let job: Job
    /// Refusals by the library since the last fresh start.
    var refusals = 0
    let traceparent: String?
    /// The batch's epoch when the entry was read.
    let epoch: UInt32
}

extension Job {
    init(_ waiting: WaitingJob, of batch: BatchFacts) {
        self.init(
            batch: batch.id, round: waiting.round, source: waiting.source, recipe: batch.recipe, lane: batch.lane,
            originals: batch.originals, engineNeeded: batch.engine, precedence: batch.precedence,
            rendersAnew: waiting.refusals > 0, isHeld: batch.isHeld)
    }

    var topic: String { lane == .interactive ? Topics.interactiveJobs : Topics.bulkJobs }
}

extension OutboxEntry {
    /// The record to send. Its key is the source's fingerprint, so that the records of one source keep their order.
    /// Each refusal changes the key: the same one would return the job to the same partition, and to the worker whose
    /// photo the library refused. Workers check their folder with the library's identity.
    func record(library: String? = nil) -> Record {
        var headers = traceparent.map { [Header(name: JobHeader.traceparent, value: Array($0.utf8))] } ?? []
        // The jobs of a batch that was never paused or cancelled need no epoch.
        if epoch > 0 { headers.append(Header(name: JobHeader.epoch, value: Array("\(epoch)".utf8))) }
        if let library { headers.append(Header(name: JobHeader.library, value: Array(library.utf8))) }
        let key = job.source.fingerprint.bytes + (refusals > 0 ? Array("/refused/\(refusals)".utf8) : [])
        return Record(key: key, value: job.encoded(), headers: headers)
    }
}

struct SentJob: Sendable {
    let position: Position
    let job: Job?
    let epoch: UInt32

    init(_ delivery: Delivery) {
        position = delivery.position
        job = try? Job(record: delivery.record.value ?? [])
        epoch = delivery.record.text(of: JobHeader.epoch).flatMap { UInt32($0) } ?? 0
    }
}

/// Accepted jobs to be sent to the jobs topics.
///
/// A job is in the outbox from its acceptance until its record is known to be durable. It returns there if the record
/// is lost.
public struct Outbox {
    private let connection: Connection
    private let batches: BatchesTable
    private let jobs: JobsTable
    private let offsets: TopicOffsets
    private let letterWriter: DeadLetterWriter

    init(
        _ connection: Connection, batches: BatchesTable, jobs: JobsTable, offsets: TopicOffsets,
        letterWriter: DeadLetterWriter
    ) {
        self.letterWriter = letterWriter
        self.connection = connection
        self.batches = batches
        self.jobs = jobs
        self.offsets = offsets
    }

    // MARK: Open jobs

    /// Whether an unpaused job is open.
    public func hasOpenJobs() throws -> Bool { try hasPublishedJobs() || hasWaitingJobs() }

    /// Whether an unpaused job is in the outbox.
    public func hasWaitingJobs() throws -> Bool { try batches.hasWaitingJobs() }

    func hasPublishedJobs() throws -> Bool { try jobs.hasPublished() }

    // MARK: Sending

    /// The next jobs to send, all of one batch or family, in the order of acceptance; empty if all jobs are sent.
    /// Interactive batches come first; paused and cancelled ones are left out. The jobs of one photo in a family are
    /// adjacent, so that one decoding serves them all.
    func next(limit: Int) throws -> [OutboxEntry] {
        let deliverable = try batches.deliverable()
        for number in deliverable {
            let siblings = try batches.siblings(of: number).filter(deliverable.contains)
            let entries = try entries(of: number, and: siblings, limit: max(1, limit / (siblings.count + 1)))
            if !entries.isEmpty { return entries }
        }
        return []
    }

    private func entries(of number: Int64, and siblings: [Int64], limit: Int) throws -> [OutboxEntry] {
        guard let batch = try batches.facts(number) else { return [] }
        let others = try siblings.compactMap { sibling in try batches.facts(sibling).map { (sibling, $0) } }
        return try jobs.waiting(in: number, limit: limit).flatMap { waiting in
            try [entry(waiting, batch)]
                + others.flatMap { number, facts in
                    try jobs.waiting(in: number, of: waiting.source.raw.file).map { entry($0, facts) }
                }
        }
    }

    private func entry(_ waiting: WaitingJob, _ batch: BatchFacts) -> OutboxEntry {
        OutboxEntry(
            sequence: waiting.sequence, job: Job(waiting, of: batch), refusals: waiting.refusals,
            traceparent: batch.traceparent,
            epoch: batch.epoch)
    }

    /// Marks entries as sent, in one transaction. An entry whose job changed meanwhile stays unchanged: it was
    /// cancelled or paused, or the manifest of an earlier record ended it.
    func markSent(_ entries: [OutboxEntry], at positions: [Position] = []) throws {
        try connection.transaction {
            try offsets.noteSent(positions)
            for entry in entries {
                try jobs.markSent(entry.sequence, round: entry.job.round, epoch: entry.epoch)
            }
        }
    }

    /// Marks jobs as sent whose records were found in a topic, in one transaction. A job that has changed stays
    /// unchanged.
    func markFound(_ found: [SentJob]) throws {
        try connection.transaction {
            try offsets.noteSent(found.map(\.position))
            for sent in found {
                if let job = sent.job { try jobs.markSent(job, epoch: sent.epoch) }
            }
        }
    }

    // MARK: Sending again

    /// Puts due refused jobs into the outbox and returns their number. `now` is in milliseconds since 1970.
    func releaseRefused(now: Int64) throws -> Int {
        var count = 0
        while true {
            let released = try jobs.releaseRefused(now: now, limit: 5000)
            if released == 0 { return count }
            count += released
        }
    }

    /// The time until the next refused job is due; nil without one.
    func timeUntilRelease(now: Int64) throws -> Duration? {
        try jobs.nextRelease().map { .milliseconds(max(1, $0 - now)) }
    }

    /// Puts published jobs back into the outbox.
    ///
    /// - Returns: how many; 0 when none is left.
    func republish(limit: Int) throws -> Int { try jobs.republish(limit: limit) }

    /// Returns lost published jobs to the outbox, and how many they were; 0 when none is left. A job that was sent
    /// `maxSends` times fails, so that a record that every worker refuses is not sent forever.
    func republishLost(limit: Int, maxSends: Int, now: Int64 = WallClock.milliseconds) throws -> Int {
        let failure = Failure(
            .internalError, "It was sent \(maxSends) times, but no worker answered. Check the dead letters.")
        return try connection.transaction {
            let lost = try jobs.lost(limit: limit, minSends: maxSends)
            for sequence in lost {
                try letterWriter.park(sequence, failure, attempts: 0, now: now)
                try jobs.fail(sequence, failure)
            }
            return try lost.count + jobs.republish(limit: limit)
        }
    }
}
