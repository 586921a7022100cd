import Coordinator
import Jobs
import Manifests
import Telemetry

/// The effect of poison on other jobs (I7).
extension PromiseChecks {
    /// Checks the scenario `poison`, where poison is the only harm:
    /// - No other job fails, and each poisoned one fails with its own reason.
    /// - At most one in twenty of the other jobs is rendered again; in a small run, as many as the killed workers had
    ///   in hand.
    /// - Real photos keep 95 % of their rate if the run is long enough to measure. Without rendering, the rate is only
    ///   printed, because poison takes most of the time.
    func isolation(_ failures: [FailedJob], _ logs: RoleLogs) async throws -> Verdict {
        var parts = ["\(run.sources.poison.count) of poison, \(failures.count) jobs failed"]
        var complaints: [String] = []
        if run.plan.scenario == .poison {
            let rates = rates(logs)
            let cost = try await cost(logs)
            complaints = failures.compactMap(complaint) + [cost.complaint, rates.complaint].compactMap { $0 }
            parts += [cost.text, rates.text]
        }
        return Verdict(
            name: "I7 isolation", holds: complaints.isEmpty,
            text: (parts + complaints.prefix(5)).joined(separator: "; "))
    }

    /// The number of other jobs that were rendered again.
    private func cost(_ logs: RoleLogs) async throws -> (text: String, complaint: String?) {
        let neighbours = logs.jobs.count - run.plan.jobs / 2
        let again = try await startsOfPhotos() - logs.jobs.count
        let inHand = run.tally.rolesRestarted * (2 * ClusterLayout.slots - 1)
        let bound = max(neighbours / 20, inHand)
        let percent = 100 * Double(again) / Double(max(1, neighbours))
        let text = "\(again) of \(neighbours) neighbours rendered again, \(NumberText.decimal(percent, places: 1)) %"
        return (text, again > bound ? "at most \(bound) are allowed" : nil)
    }

    /// The number of started renders of all photos. A manifest states which start of its job it belongs to.
    private func startsOfPhotos() async throws -> Int {
        var starts = 0
        try await eachPhoto { manifest, _ in starts += Int(manifest.attempts) }
        return starts
    }

    /// Complaint about a failed job; nil for an expected failure.
    private func complaint(_ failed: FailedJob) -> String? {
        guard let known = run.sources.poison[name(failed)] else { return "\(name(failed)) failed beside poison" }
        guard let poison = known, failed.failure.reason != poison.reason else { return nil }
        return "\(name(failed)): \(failed.failure.reason.rawValue)"
    }

    /// Compares the first half of the jobs, without poison, with the second.
    private func rates(_ logs: RoleLogs) -> (text: String, complaint: String?) {
        let ends = logs.jobs.values.sorted()
        guard let without = JobRate(ends.prefix(run.plan.jobs / 2)),
            let beside = JobRate(ends.dropFirst(run.plan.jobs / 2))
        else { return ("too few jobs to tell their rates", nil) }
        let text = "\(without.text) without it, \(beside.text) of its neighbours beside it"
        let isJudged = layout.isReal && without.seconds >= 20
        let isSlow = beside.rate < 0.95 * without.rate
        return (text, isJudged && isSlow ? "at least 95 % of the rate without it is due" : nil)
    }
}

/// The rate of jobs. The last tenth has only a time: it is a few jobs of the worker that finishes last.
private struct JobRate {
    /// Jobs per second.
    let rate: Double
    /// Of the first nine tenths.
    let seconds: Double
    /// Of the last tenth.
    private let lastSeconds: Double

    /// - Parameter ends: time of each job's end in seconds, ascending.
    init?(_ ends: ArraySlice<Double>) {
        let count = ends.count * 9 / 10
        guard let first = ends.first, let last = ends.last, let end = ends.prefix(count).last, end > first else {
            return nil
        }
        (seconds, lastSeconds) = (end - first, last - end)
        rate = Double(count) / seconds
    }

    var text: String {
        "\(NumberText.decimal(rate, places: 1)) jobs a second, and \(NumberText.decimal(lastSeconds, places: 1)) s for the last tenth"
    }
}
