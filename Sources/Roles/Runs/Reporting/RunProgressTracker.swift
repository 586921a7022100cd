internal import Broker
internal import Clock
package import Coordinator
internal import Jobs
internal import Manifests
internal import Synchronization

/// Follows the events of a run's roles: counts ended jobs, and passes all events to the reporter.
///
/// Counts come from the ledger, photos and their paths from the cataloguer. Photos are reported after the plan and kept
/// here until then. If there are too many, the cataloguer waits, and its manifests stay in the broker.
package final class RunProgressTracker: Sendable {
    private struct State {
        var plan = RunPlan()
        var counts = RunCounts()
        /// Jobs of this run. Grows during planning.
        var expected = 0
        /// Jobs that failed during planning, because their files could not be read.
        var failedAtOnce = 0
        /// Unreadable sources and folders, which have no jobs.
        var problems = 0
        /// Photos that could not be placed, and photos left out because their name is taken.
        var unplaced = 0
        var kept = 0
        var reused = 0
        var reported = RecentJobs()
        /// Jobs merged before the plan was reported.
        var unreported: [FinishedJob] = []
    }

    private let state = Mutex(State())
    private let planReported = Latch()
    private let reporter: any RunReporter
    private let roots: RootMap
    private let photos: String
    private let makesPlan: Bool
    private let stopwatch = Stopwatch()

    /// - Parameters:
    ///   - photos: the folder of the photos.
    ///   - makesPlan: false for a run that only finishes open jobs.
    package init(reporter: any RunReporter, roots: RootMap, photos: String, makesPlan: Bool) {
        self.makesPlan = makesPlan
        self.reporter = reporter
        self.roots = roots
        self.photos = photos
    }

    // MARK: - Events of the roles

    package func update(_ event: RunEvent) {
        switch event {
        case .foundOpenJobs(let count): addOpenJobs(count)
        case .entry(let entry): add(entry)
        case .problem(let problem): add(problem)
        case .skipped(let file):
            reporter.skipped(
                SkippedSource(source: file.path, reason: file.reason.rawValue, message: "\(file)"))
        case .planned(let counts): setPlan(counts)
        case .ended(let result, let end): count(result, end)
        case .refusedByLibrary(let result, let refusal, let delay): report(refusal, of: result, isLast: delay == nil)
        case .unreadableResult(let position, let error):
            reporter.notice("A record of the results (\(position.offset)) cannot be read: \(error).")
        // Events of a service, and events that do not concern the user.
        case .sentAgain, .brokerUnavailable, .ordered, .refused, .orderPlanned, .controlled, .unreadableControl,
            .rootChanged:
            break
        }
    }

    /// Takes a job whose photos are placed. It is reported after the plan.
    package func update(_ job: FinishedJob) async {
        if !planReported.isOpen {
            let isKept = state.withLock { state in
                guard state.unreported.count < Self.maxUnreported else { return false }
                state.unreported.append(job)
                return true
            }
            // If the plan was reported in between, only this call reports the kept job.
            if isKept {
                if planReported.isOpen { reportKept() }
                return
            }
            await planReported.wait()
        }
        reportKept()
        report(job)
    }

    /// A few megabytes of jobs.
    private static let maxUnreported = 5000

    private func reportKept() {
        let kept = state.withLock { state in
            defer { state.unreported.removeAll() }
            return state.unreported
        }
        for job in kept { report(job) }
    }

    private func report(_ job: FinishedJob) {
        let manifest = job.manifest
        guard state.withLock({ $0.reported.insert(manifest.job, round: manifest.round) }) else { return }
        switch manifest.outcome {
        case .completed(let renditions): report(job, Array(renditions))
        case .failed(let failure): report(failure, job: manifest.job, manifest.source, before: false)
        }
    }

    private func report(_ job: FinishedJob, _ renditions: [Rendition]) {
        let source = roots.absolute(job.manifest.source.raw.file)
        state.withLock { state in
            state.kept += job.kept.count
            state.unplaced += job.problems.count
        }
        for file in job.kept {
            let name = String(decoding: file, as: UTF8.self)
            reporter.skipped(
                SkippedSource(
                    source: source, reason: "name-taken",
                    message: "\(name) already exists and was kept. Remove it, or use another --on-conflict."))
        }
        for problem in job.problems {
            reporter.failed(
                FailedSource(
                    job: job.manifest.job.description, source: source, reason: "not-placed", message: problem,
                    before: false))
        }
        if !job.photos.isEmpty || job.kept.isEmpty && job.problems.isEmpty {
            reporter.completed(CompletedJob(job, renditions, roots: roots))
        }
        for notice in job.notices { reporter.notice(notice) }
    }

    /// Lets the cataloguer continue without a plan when the run stops.
    package func stopWaitingForPlan() {
        planReported.open()
        reportKept()
    }

    /// Reports the progress. Call it a few times a second.
    package func tick() {
        let (counts, expected) = state.withLock { ($0.counts, $0.expected) }
        guard expected > 0 else { return }
        reporter.tick(counts, total: expected, elapsed: stopwatch.elapsed)
    }

    /// Reports the end of the run.
    ///
    /// - Parameter open: jobs that are still open.
    package func end(open: Int) -> RunSummary {
        let summary = state.withLock { state in
            RunSummary(
                accepted: state.plan.toConvert + state.failedAtOnce,
                completed: state.counts.completed - state.unplaced - state.kept,
                degraded: state.counts.degraded, failed: state.counts.failed, unchanged: state.plan.unchanged,
                failedBefore: state.plan.failedBefore, unreadable: state.problems, unplaced: state.unplaced,
                kept: state.kept, reused: state.reused, open: open,
                elapsed: stopwatch.elapsed, photos: photos)
        }
        reporter.ended(summary)
        return summary
    }

    // MARK: - The plan

    private func addOpenJobs(_ count: Int) {
        let plan = state.withLock { state in
            state.plan.pending = count
            state.plan.isOfSources = makesPlan
            state.expected += count
            return state.plan
        }
        if !makesPlan { report(plan) }
    }

    private func setPlan(_ counts: PlanCounts) {
        let plan = state.withLock { state in
            state.plan = RunPlan(counts, pending: state.plan.pending)
            state.expected = state.plan.toConvert + state.failedAtOnce
            return state.plan
        }
        report(plan)
    }

    private func report(_ plan: RunPlan) {
        reporter.planned(plan)
        // Even a short run shows its progress.
        tick()
        planReported.open()
        reportKept()
    }

    private func count(_ result: JobResult, _ end: JobState) {
        guard case .failed(let failure) = result.outcome, end.isCatalogued else {
            return state.withLock { state in
                state.counts.count(end)
                state.reused += Int(result.reused)
            }
        }
        // The frames that had failed failed again. The ledger has the photos of the other frames.
        state.withLock { $0.counts.failed += 1 }
        reporter.notice(
            "\(result.file): the frames that failed before could not be rendered: \(failure.message(about: result.file)) "
                + "The photos of its other frames stay as they are.")
    }

    private func report(_ refusal: Refusal, of result: JobResult, isLast: Bool) {
        reporter.notice(
            "\(result.file): \(refusal.message) \(isLast ? "It was refused too often, and failed." : "It is rendered again.")"
        )
        guard isLast else { return }
        let failure = Failure(refusal.isAboutSource ? .sourceMissing : .libraryRefused, refusal.message)
        reporter.failed(
            FailedSource(
                job: result.job.description, source: roots.absolute(result.file), reason: failure.reason.rawValue,
                message: failure.message(about: result.file), before: false))
    }

    private func add(_ entry: PlanEntry) {
        if entry.planClass.isSubmitted { state.withLock { $0.expected += 1 } }
        switch entry.planClass {
        case .failedBefore(let failure): report(failure, job: entry.job, entry.source, before: true)
        case .unreadable:
            guard let failure = entry.planClass.failure(of: entry.source) else { return }
            state.withLock { state in
                state.failedAtOnce += 1
                state.expected += 1
                state.counts.failed += 1
            }
            report(failure, job: entry.job, entry.source, before: false)
        case .new, .stale, .again, .pending, .unchanged: break
        }
    }

    private func add(_ problem: WalkProblem) {
        guard problem.isUnreadable else {
            return reporter.skipped(
                SkippedSource(source: problem.path, reason: "link", message: "\(problem)"))
        }
        state.withLock { $0.problems += 1 }
        let reason: FailureReason = problem.kind == .missing ? .sourceMissing : .sourceUnreadable
        reporter.failed(
            FailedSource(job: nil, source: problem.path, reason: reason.rawValue, message: "\(problem)", before: false))
    }

    private func report(_ failure: Failure, job: JobID, _ source: Source, before: Bool) {
        reporter.failed(
            FailedSource(
                job: job.description, source: roots.absolute(source.raw.file), reason: failure.reason.rawValue,
                message: failure.message(about: source.raw.file), before: before))
    }
}
