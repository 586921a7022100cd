import Broker
import Catalogue
import Clock
import Coordinator
import Jobs
import Manifests
import Synchronization
import Telemetry

/// Where the roles' news comes together: counts what ended, and tells the reporter.
///
/// The ledger says how many jobs ended; that a photo is in the library, and where, the cataloguer says. Nothing is told
/// of a photo before the plan is: the cataloguer waits that long, and what it would merge waits in the broker.
final class RunProgressTracker: Sendable {
    private struct State {
        var plan = RunPlan()
        var counts = RunCounts()
        /// Jobs to be ended, as far as is known while the plan is made.
        var expected = 0
        /// Accepted as failed at once: they could not be read.
        var failedAtOnce = 0
        /// Sources and folders that could not be looked at: no jobs.
        var problems = 0
        var told = RecentJobs()
    }

    private let state = Mutex(State())
    private let planned = Latch()
    private let reporter: any RunReporter
    private let roots: RootMap
    private let library: [UInt8]
    private let makesPlan: Bool
    private let clock = Stopwatch()

    /// - Parameter makesPlan: false for a run that only carries on what is open.
    init(reporter: any RunReporter, roots: RootMap, library: String, makesPlan: Bool) {
        self.makesPlan = makesPlan
        self.reporter = reporter
        self.roots = roots
        self.library = Array(library.utf8)
    }

    /// From the coordinator.
    func take(_ event: RunEvent) {
        switch event {
        case .foundOpenJobs(let count): carryOn(count)
        case .entry(let entry): take(entry)
        case .problem(let problem): take(problem)
        case .planned(let counts): begin(counts)
        case .ended(_, let end, _): state.withLock { $0.counts.count(end) }
        case .unreadableManifest(let position, let error):
            reporter.notice("A record of the manifests (\(position.offset)) cannot be read: \(error).")
        // Of a service, or nothing for a person.
        case .sentAgain, .brokerUnavailable, .ordered, .refused, .orderPlanned, .controlled, .unreadableControl: break
        }
    }

    /// From the cataloguer; returns once the plan was told.
    func take(_ merged: ManifestMergeResult) async {
        await planned.wait()
        let manifest = merged.manifest
        guard state.withLock({ $0.told.insert(manifest.job, round: manifest.round) }) else { return }
        switch manifest.outcome {
        case .completed: reporter.completed(CompletedJob(merged, roots: roots, library: library))
        case .failed(let failure): tell(failure, job: manifest.job, manifest.source, before: false)
        }
    }

    /// No plan will come: the run is being stopped.
    func openGate() { planned.open() }

    func tick() {
        let (counts, expected) = state.withLock { ($0.counts, $0.expected) }
        guard expected > 0 else { return }
        reporter.tick(counts, total: expected, elapsed: clock.elapsed)
    }

    /// - Parameter open: jobs that are left to do.
    func end(open: Int) -> RunSummary {
        let photos = String(decoding: library, as: UTF8.self) + "/" + LibraryLayout.photos
        let summary = state.withLock { state in
            RunSummary(
                accepted: state.plan.toConvert + state.failedAtOnce, completed: state.counts.completed,
                degraded: state.counts.degraded, failed: state.counts.failed, unchanged: state.plan.unchanged,
                failedBefore: state.plan.failedBefore, unreadable: state.problems, open: open,
                elapsed: clock.elapsed, photos: photos)
        }
        reporter.ended(summary)
        return summary
    }

    private func carryOn(_ count: Int) {
        let plan = state.withLock { state in
            state.plan.pending = count
            state.expected += count
            return state.plan
        }
        if !makesPlan { tell(plan) }
    }

    private func begin(_ counts: PlanCounts) {
        let plan = state.withLock { state in
            state.plan = RunPlan(counts, pending: state.plan.pending)
            state.expected = state.plan.toConvert + state.failedAtOnce
            return state.plan
        }
        tell(plan)
    }

    private func tell(_ plan: RunPlan) {
        reporter.planned(plan)
        // How far it is stands there at once, however short the run.
        tick()
        planned.open()
    }

    private func take(_ entry: PlanEntry) {
        if entry.planClass.isSubmitted { state.withLock { $0.expected += 1 } }
        switch entry.planClass {
        case .failedBefore(let failure): tell(failure, job: entry.job, entry.source, before: true)
        case .unreadable:
            guard let failure = entry.planClass.failure(of: entry.source) else { return }
            state.withLock { state in
                state.failedAtOnce += 1
                state.expected += 1
                state.counts.failed += 1
            }
            tell(failure, job: entry.job, entry.source, before: false)
        case .new, .stale, .again, .pending, .unchanged: break
        }
    }

    private func take(_ problem: WalkProblem) {
        guard problem.isUnreadable else { return reporter.notice("\(problem)") }
        state.withLock { $0.problems += 1 }
        let reason: FailureReason = problem.kind == .missing ? .sourceMissing : .sourceUnreadable
        reporter.failed(
            FailedSource(job: nil, source: problem.path, reason: reason.rawValue, message: "\(problem)", before: false))
    }

    private func tell(_ failure: Failure, job: JobID, _ source: Source, before: Bool) {
        reporter.failed(
            FailedSource(
                job: job.description, source: roots.absolute(source.raw.file), reason: failure.reason.rawValue,
                message: failure.message(about: source.raw.file), before: before))
    }
}
