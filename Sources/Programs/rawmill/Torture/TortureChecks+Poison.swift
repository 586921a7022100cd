import Coordinator
import Jobs
import Manifests
import Telemetry

/// What poison costs the jobs beside it (I7).
extension TortureChecks {
    /// Where poison is all the harm there is, no neighbour fails, what poison did is named rightly, and of its neighbours
    /// at most one in twenty is rendered again; in a run of few, what the workers had in hand that it took down. Real
    /// photos lose at most one in twenty of their rate, where they were at it long enough to tell. Where nothing is
    /// rendered the rates are told and not judged: poison's own time is most of them.
    func isolation(_ failures: [FailedJob], _ logs: TortureLogs) async throws -> TortureVerdict {
        var words = ["\(run.sources.poison.count) of poison, \(failures.count) jobs failed"]
        var complaints: [String] = []
        if run.plan.scenario == .poison {
            let (rates, loss) = rates(logs)
            let (cost, excess) = try await cost(logs)
            complaints = failures.compactMap(complaint) + [excess, loss].compactMap { $0 }
            words += [cost, rates]
        }
        return TortureVerdict(
            name: "I7 isolation", holds: complaints.isEmpty,
            text: (words + complaints.prefix(5)).joined(separator: "; "))
    }

    /// How many of poison's neighbours were rendered again.
    ///
    /// - Returns: what to tell of it, and what is wrong with it.
    private func cost(_ logs: TortureLogs) async throws -> (told: String, excess: String?) {
        let neighbours = logs.jobs.count - run.plan.jobs / 2
        let again = try await startsOfPhotos() - logs.jobs.count
        let inHand = run.story.endedByThemselves * (2 * TorturePlace.slots - 1)
        let bound = max(neighbours / 20, inHand)
        let percent = 100 * Double(again) / Double(max(1, neighbours))
        let told = "\(again) of \(neighbours) neighbours rendered again, \(Numeral.text(percent, places: 1)) %"
        return (told, again > bound ? "at most \(bound) are allowed" : nil)
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
    ///
    /// - Returns: what to tell of it, and what is wrong with it.
    private func rates(_ logs: TortureLogs) -> (told: String, loss: String?) {
        let ends = logs.jobs.values.sorted()
        guard let calm = TorturePace(ends.prefix(run.plan.jobs / 2)),
            let beside = TorturePace(ends.dropFirst(run.plan.jobs / 2))
        else { return ("too few jobs to tell their rates", nil) }
        let told = "\(calm.text) without it, \(beside.text) of its neighbours beside it"
        let isJudged = place.isReal && calm.seconds >= 20
        let isSlow = beside.rate < 0.95 * calm.rate
        return (told, isJudged && isSlow ? "at least 95 % of the rate without it is due" : nil)
    }
}

/// How fast jobs were done. Of the last tenth only its time is told: few are left then, of the worker that is last.
private struct TorturePace {
    /// Jobs a second.
    let rate: Double
    /// Of the first nine tenths, and of the rest.
    let seconds: Double
    private let rest: Double

    /// - Parameter ends: when each job was done, in order, in seconds.
    init?(_ ends: ArraySlice<Double>) {
        let most = ends.count * 9 / 10
        guard let first = ends.first, let last = ends.last, let end = ends.prefix(most).last, end > first else {
            return nil
        }
        (seconds, rest) = (end - first, last - end)
        rate = Double(most) / seconds
    }

    var text: String {
        "\(Numeral.text(rate, places: 1)) jobs a second, and \(Numeral.text(rest, places: 1)) s for the last tenth"
    }
}
