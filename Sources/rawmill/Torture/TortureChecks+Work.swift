import Coordinator
import Jobs

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
    func redo(_ logs: TortureLogs) -> TortureVerdict {
        let story = run.story
        let stopped = (story.done[.stop] ?? 0) + (story.done[.killRenderer] ?? 0)
        let sudden = story.workersKilled + story.endedByThemselves + logs.losses + stopped
        let bound = sudden * 2 * TorturePlace.slots + story.jobsResent + story.jobsExposed
        return TortureVerdict(
            name: "I5 bounded redo", holds: logs.again <= bound,
            text:
                "\(logs.rendersEnded) renders of \(logs.jobs.count) jobs: \(logs.again) again, at most \(bound) allowed"
        )
    }

    var progress: TortureVerdict {
        TortureVerdict(
            name: "I6 progress", holds: isOver,
            text: isOver ? "everything came to its end" : "not done within \(run.plan.patience)")
    }

    /// No neighbour of poison fails, and what poison does is named rightly, unless it took its worker along too often.
    func isolation(_ failures: [FailedJob], _ logs: TortureLogs) -> TortureVerdict {
        var complaints: [String] = []
        for failed in failures {
            guard let known = run.poison[name(failed)] else {
                if run.plan.scenario == .poison { complaints.append("\(name(failed)) failed beside poison") }
                continue
            }
            guard let poison = known, ![poison.reason, .tooManyStarts].contains(failed.failure.reason) else { continue }
            if run.plan.scenario == .poison { complaints.append("\(name(failed)): \(failed.failure.reason.rawValue)") }
        }
        let cost = run.plan.scenario == .poison ? "; \(Self.cost(logs))" : ""
        return TortureVerdict(
            name: "I7 isolation", holds: complaints.isEmpty,
            text: (["\(run.poison.count) of poison, \(failures.count) jobs failed" + cost] + complaints.prefix(5))
                .joined(separator: "; "))
    }

    /// The first half of the jobs was done without poison, the other with it.
    private static func cost(_ logs: TortureLogs) -> String {
        let ends = logs.jobs.values.sorted()
        let (calm, poisoned) = (ends.prefix(ends.count / 2), ends.suffix(ends.count / 2))
        guard let first = calm.first, let last = calm.last, let begin = poisoned.first, let end = poisoned.last,
            last > first, end > begin
        else { return "too few jobs to tell its cost" }
        let rates = [Double(calm.count) / (last - first), Double(poisoned.count) / (end - begin)]
        return "\(Int(rates[0])) jobs a second without it, \(Int(rates[1])) of its neighbours beside it"
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
