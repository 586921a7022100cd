import Coordinator
import Jobs
import Manifests
import Worker

/// Repeated work, completion, and remains.
extension PromiseChecks {
    func committedOffsets(_ logs: RoleLogs) -> Verdict {
        let complaints = run.tally.offsetComplaints
        let text = "\(logs.refusedCommits) commits refused" + complaints.prefix(5).map { "; \($0)" }.joined()
        return Verdict(
            name: "I4 committed ≤ lowest unfinished", holds: logs.refusedCommits == 0 && complaints.isEmpty, text: text)
    }

    /// A worker that disappears, or loses its partitions without notice, may cost the jobs in its slots and those about
    /// to be made durable and reported. One that is stopped hands over, and costs nothing.
    func boundedRedo(_ logs: RoleLogs) async throws -> Verdict {
        let tally = run.tally
        let stopped = (tally.done[.stop] ?? 0) + (tally.done[.killRenderer] ?? 0)
        let losses = tally.workersKilled + tally.rolesRestarted + logs.lostPartitions + stopped
        let inHand = (1 + WorkerSettings.openCompletionsPerSlot) * ClusterLayout.slots
        let bound = losses * inHand + tally.jobsResent + tally.jobsExposed + tally.duplicates
        return Verdict(
            name: "I5 bounded redo", holds: logs.repeatedRenders <= bound,
            text:
                "\(logs.rendersEnded) renders of \(logs.jobs.count) jobs: \(logs.repeatedRenders) again, "
                + "at most \(bound) allowed; \(try await jobsCutOff()) jobs were begun before and cut off"
        )
    }

    /// Photos whose render was not their first start.
    private func jobsCutOff() async throws -> Int {
        var jobs: Set<JobID> = []
        try await eachPhoto { manifest, _ in if manifest.attempts > 1 { jobs.insert(manifest.job) } }
        return jobs.count
    }

    var progress: Verdict {
        Verdict(
            name: "I6 progress", holds: isFinished,
            text: isFinished ? "everything was completed" : "not done within \(run.plan.patience)")
    }

    var nothingLeft: Verdict {
        let processes = ProcessTable.processes(naming: layout.library)
        let disorderly = run.tally.disorderlyEnds
        return Verdict(
            name: "I9 nothing left", holds: processes.isEmpty && disorderly.isEmpty,
            text: "\(processes.count) processes left"
                + (disorderly.isEmpty ? "" : "; did not end cleanly: \(disorderly)"))
    }

    func unexplainedErrors(_ logs: RoleLogs) -> Verdict {
        Verdict(
            name: "I10 no unexplained error", holds: logs.unexplained.isEmpty,
            text: "\(logs.unexplained.count) lines" + logs.unexplained.prefix(5).map { "; \($0)" }.joined())
    }
}
