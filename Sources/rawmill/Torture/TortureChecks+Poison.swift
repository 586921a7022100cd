import Coordinator
import Jobs
import Manifests
import Telemetry

/// What poison costs the jobs beside it (I7).
extension TortureChecks {
    /// Where poison is all the harm there is, no neighbour fails, what poison did is named rightly, and of its neighbours
    /// at most one in twenty is rendered again; in a run of few, what the workers had in hand that it took down. The rates are told and not judged: poison's own time is in them, a hang's
    /// up to its deadline, and so is the session of a worker that it took down.
    func isolation(_ failures: [FailedJob], _ logs: TortureLogs) async throws -> TortureVerdict {
        var words = ["\(run.sources.poison.count) of poison, \(failures.count) jobs failed"]
        var complaints: [String] = []
        if run.plan.scenario == .poison {
            complaints = failures.compactMap(complaint)
            let neighbours = logs.jobs.count - run.plan.jobs / 2
            let again = try await startsOfPhotos() - logs.jobs.count
            let inHand = run.story.endedByThemselves * (2 * TorturePlace.slots - 1)
            let bound = max(neighbours / 20, inHand)
            let percent = 100 * Double(again) / Double(max(1, neighbours))
            let cost = "\(again) of \(neighbours) neighbours rendered again, \(Numeral.text(percent, places: 1)) %"
            if again > bound { complaints.append("at most \(bound) are allowed") }
            words += [cost, rates(logs)]
        }
        return TortureVerdict(
            name: "I7 isolation", holds: complaints.isEmpty,
            text: (words + complaints.prefix(5)).joined(separator: "; "))
    }

    /// Renders that were begun of what became photos: a manifest says which start of its job it is of.
    private func startsOfPhotos() async throws -> Int {
        var starts = 0
        try await eachPhoto { manifest, _ in starts += Int(manifest.attempts) }
        return starts
    }

    /// Why a job must not have failed, or not so.
    private func complaint(_ failed: FailedJob) -> String? {
        guard let known = run.sources.poison[name(failed)] else { return "\(name(failed)) failed beside poison" }
        guard let poison = known, failed.failure.reason != poison.reason else { return nil }
        return "\(name(failed)): \(failed.failure.reason.rawValue)"
    }

    /// The first half of the jobs was done without poison, the other with it.
    private func rates(_ logs: TortureLogs) -> String {
        let ends = logs.jobs.values.sorted()
        let (calm, poisoned) = (ends.prefix(ends.count / 2), ends.suffix(ends.count / 2))
        guard let first = calm.first, let last = calm.last, let begin = poisoned.first, let end = poisoned.last,
            last > first, end > begin
        else { return "too few jobs to tell their rates" }
        let rates = [Double(calm.count) / (last - first), Double(poisoned.count) / (end - begin)]
        return "\(Int(rates[0])) jobs a second without it, \(Int(rates[1])) of its neighbours beside it"
    }
}
