internal import Broker
internal import Clock
internal import Database
public import Jobs
public import Manifests
internal import Records

enum ResultEffect: Hashable, Sendable {
    /// It ended its job, or made a late success of a failed or cancelled job. A failed retry of frames leaves the job
    /// degraded.
    case ended(JobState)
    /// The job is open again, and will be sent after this time.
    case refused(Duration)
    /// A repetition, or the result of an older round.
    case repeated
    /// No such job was accepted here.
    case unknown
}

/// Ends jobs according to the cataloguer's results.
public struct ResultMerge {
    private let connection: Connection
    private let jobs: JobsTable
    private let batches: BatchesTable
    private let offsets: TopicOffsets
    private let removals: RemovalsTable
    private let letterWriter: DeadLetterWriter

    init(
        _ connection: Connection, jobs: JobsTable, batches: BatchesTable, offsets: TopicOffsets,
        removals: RemovalsTable, letterWriter: DeadLetterWriter
    ) {
        self.letterWriter = letterWriter
        self.removals = removals
        self.connection = connection
        self.jobs = jobs
        self.batches = batches
        self.offsets = offsets
    }

    /// Applies results and stores the position in the topic, in one transaction. A result that is delivered again after
    /// a crash finds its job ended, or in a later round. Returns one effect per result, in their order.
    ///
    /// - Parameters:
    ///   - next: by partition, the offset of the next record to read.
    ///   - known: by partition, one of the records.
    ///   - refusalDelays: delays of a job after its first, second, … refusal. With one more refusal it fails.
    ///   - now: milliseconds since 1970.
    func merge(
        _ records: [JobResults], next: [Int32: Int64], known: [Int32: KnownRecord] = [:], refusalDelays: [Duration],
        now: Int64
    ) throws -> [ResultEffect] {
        try connection.transaction {
            let effects = try records.flatMap { record in
                var moved: [JobResult] = []
                let effects = try record.results.map { try merge($0, refusalDelays, now, moved: &moved) }
                try orderRemovals(moved, cluster: record.cluster)
                try jobs.noteRemoved(record.removed)
                try jobs.noteForgotten(record.forgotten)
                return effects
            }
            let cluster = try offsets.knownCluster()
            for record in records {
                // Offsets of a former cluster say nothing about this one.
                if record.cluster == cluster { try offsets.noteAnswered(record.answered) }
                try batches.raisePrecedence(to: record.highestPrecedence)
            }
            try offsets.noteResults(next, known: known)
            return effects
        }
    }

    /// Marks photos as removed by a user: their files are rendered again when they are submitted again.
    public func noteRemoved(_ photos: [RemovedPhoto]) throws {
        try connection.transaction { try jobs.noteRemoved(photos) }
    }

    /// Marks jobs of these files as removed, so that they can be submitted again: the library does not show their
    /// photos there.
    public func noteForgotten(_ files: [FileReference]) throws {
        try connection.transaction { try jobs.noteForgotten(files) }
    }

    /// Confirms to the cataloguer that these jobs were accepted with `move`, according to the ledger, not the manifest.
    private func orderRemovals(_ moved: [JobResult], cluster: String) throws {
        if moved.isEmpty { return }
        let order = JobResults(results: moved, cluster: cluster, answered: [:], highestPrecedence: 0)
        for record in order.records() { try removals.insert(record) }
    }

    /// - Parameter moved: receives the result of a job that was accepted with `move` and has its photos in the library.
    private func merge(
        _ result: JobResult, _ refusalDelays: [Duration], _ now: Int64, moved: inout [JobResult]
    ) throws -> ResultEffect {
        guard let job = try jobs.progress(of: result.job, result.file) else { return .unknown }
        guard let step = job.step(after: result) else { return .repeated }
        switch step {
        case .end(let state):
            if case .failed(let failure) = result.outcome, failure.reason.needsWitness {
                try letterWriter.park(job.sequence, failure, attempts: result.attempts, now: now)
            }
            try jobs.end(job.sequence, as: state, result)
            if result.reused > 0 { try batches.addReused(Int64(result.reused), ofJob: job.sequence) }
            if case .catalogued = result.outcome, try jobs.originals(of: job.sequence) == .move { moved.append(result) }
            return .ended(state)
        case .refuse(let refusal):
            guard let delay = Self.delay(after: job.refusals, refusal, refusalDelays) else {
                let failure = Failure(refusal, of: result)
                try letterWriter.park(job.sequence, failure, attempts: result.attempts, now: now)
                try jobs.failRefused(job.sequence, refusal, failure, result)
                return .ended(job.stateAfterFailure)
            }
            try jobs.refuse(job.sequence, refusal, due: now + delay.wholeMilliseconds)
            return .refused(delay)
        }
    }

    /// Delay of a job after its refusals; nil if there were too many. A job whose root the coordinator does not see
    /// waits until it does.
    private static func delay(after refusals: Int, _ refusal: Refusal, _ delays: [Duration]) -> Duration? {
        if refusals < delays.count { return delays[refusals] }
        return refusal.code == Refusal.rootUnseen ? delays.last : nil
    }
}

extension Failure {
    init(_ refusal: Refusal, of result: JobResult) {
        if refusal.isAboutSource {
            self.init(.sourceMissing, refusal.message)
        } else {
            self.init(.libraryRefused, "The library refused the photo rendered by \(result.worker): \(refusal.message)")
        }
    }
}

struct JobProgress {
    let sequence: Int64
    let state: JobState
    let round: UInt32
    /// Refusals since the last fresh start. Each began a new round.
    let refusals: Int
    /// Whether the library has photos of some of its frames while the others are being retried.
    let hasPhotos: Bool

    var stateAfterFailure: JobState { hasPhotos ? .degraded : .failed }

    enum Step: Hashable {
        case end(JobState)
        case refuse(Refusal)
    }

    /// The consequence of a result; nil if it changes nothing.
    ///
    /// A result of a round before the last fresh start belongs to attempts that a retry replaced. Otherwise a success
    /// always counts, even a late one or one of a refused round: the photo is in the library. A failure or a refusal
    /// only counts while the job is open and in that round; a later round comes from a ledger that was restored from a
    /// backup.
    func step(after result: JobResult) -> Step? {
        guard !state.isCatalogued else { return nil }
        switch result.outcome {
        case .catalogued(_, let degraded):
            let isOfThisStart = Int64(result.round) >= Int64(round) - Int64(refusals)
            return isOfThisStart ? .end(degraded == nil ? .catalogued : .degraded) : nil
        case .failed: return state.isOpen && result.round >= round ? .end(stateAfterFailure) : nil
        case .refused(let refusal): return state.isOpen && result.round >= round ? .refuse(refusal) : nil
        }
    }
}
