import Coordinator
import Jobs
import Manifests

/// How the work was done: what was repeated, what it cost, and what stayed behind.
extension TortureChecks {
    func offsets(_ logs: TortureLogs) -> TortureVerdict {
        let complaints = run.story.offsetComplaints
        let text = "\(logs.refusedCommits) commits refused" + complaints.prefix(5).map { "; \($0)" }.joined()
        return TortureVerdict(
            name: "I4 committed ≤ lowest unfinished", holds: logs.refusedCommits == 0 && complaints.isEmpty, text: text)
    }

    /// What a worker has in its slots, and what each slot is about to report, is done again where the worker goes
    /// without a word, or its partitions do. One that is told hands over: nothing is done again then.
    func redo(_ logs: TortureLogs) async throws -> TortureVerdict {
        let story = run.story
        let stopped = (story.done[.stop] ?? 0) + (story.done[.killRenderer] ?? 0)
        let sudden = story.workersKilled + story.endedByThemselves + logs.losses + stopped
        let bound = sudden * 2 * TorturePlace.slots + story.jobsResent + story.jobsExposed + story.copies
        return TortureVerdict(
            name: "I5 bounded redo", holds: logs.again <= bound,
            text:
                "\(logs.rendersEnded) renders of \(logs.jobs.count) jobs: \(logs.again) again, at most \(bound) allowed; "
                + "\(try await jobsCutOff()) jobs were begun before and cut off"
        )
    }

    /// Photos whose render was not their first start.
    private func jobsCutOff() async throws -> Int {
        var jobs: Set<JobID> = []
        try await eachPhoto { manifest, _ in if manifest.attempts > 1 { jobs.insert(manifest.job) } }
        return jobs.count
    }

    var progress: TortureVerdict {
        TortureVerdict(
            name: "I6 progress", holds: isOver,
            text: isOver ? "everything came to its end" : "not done within \(run.plan.patience)")
    }

    var left: TortureVerdict {
        let processes = ProcessTable.naming(place.library)
        let late = run.story.disorderlyEnds
        return TortureVerdict(
            name: "I9 nothing left", holds: processes.isEmpty && late.isEmpty,
            text: "\(processes.count) processes left" + (late.isEmpty ? "" : "; not in good order ended \(late)"))
    }

    func words(_ logs: TortureLogs) -> TortureVerdict {
        TortureVerdict(
            name: "I10 no unexplained error", holds: logs.unexplained.isEmpty,
            text: "\(logs.unexplained.count) lines" + logs.unexplained.prefix(5).map { "; \($0)" }.joined())
    }
}
