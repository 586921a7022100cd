internal import Jobs
internal import Manifests
internal import Memory

/// The results of a cluster's jobs. The cataloguer's result ends a job; the worker's manifest, which arrives before or
/// after it, has the photos.
struct JobOutcomes {
    private struct End: Hashable {
        let job: JobID
        let round: UInt32
    }

    /// The page lists at most this many; the coordinator counts all.
    static let maxFailures = 20_000
    /// The two topics are read concurrently. If one is further ahead, its oldest records are dropped.
    static let maxWaiting = 20_000

    private var failed: [JobID: FailureSummary] = [:]
    /// Records whose counterpart is missing.
    private var manifests = BoundedCache<End, Manifest>(maxCount: maxWaiting)
    private var results = BoundedCache<End, Bool>(maxCount: maxWaiting)

    var failures: [FailureSummary] { Array(failed.values) }

    /// - Returns: the job's manifest, if the job has ended and the manifest is known.
    mutating func take(_ result: JobResult) -> Manifest? {
        failed[result.job] = nil
        if let failure = Self.failure(result), failed.count < Self.maxFailures { failed[result.job] = failure }
        if case .refused = result.outcome { return nil }
        let end = End(job: result.job, round: result.round)
        if let manifest = manifests[end] {
            manifests[end] = nil
            return manifest
        }
        results[end] = true
        return nil
    }

    /// - Returns: the manifest, if the job's result is known.
    mutating func take(_ manifest: Manifest) -> Manifest? {
        let end = End(job: manifest.job, round: manifest.round)
        guard results[end] == nil else {
            results[end] = nil
            return manifest
        }
        manifests[end] = manifest
        return nil
    }

    private static func failure(_ result: JobResult) -> FailureSummary? {
        func shown(_ group: String, _ message: String, signal: Int32? = nil, isRetryable: Bool) -> FailureSummary {
            FailureSummary(
                group: group, job: result.job, batch: result.batch, file: result.file, message: message,
                attempts: Int(result.attempts), signal: signal, isRetryable: isRetryable)
        }
        switch result.outcome {
        case .catalogued(_, degraded: nil): return nil
        case .catalogued(_, let cause?):
            return shown("degraded", cause, isRetryable: result.frameFailure != nil)
        case .failed(let failure):
            return shown(
                failure.reason.rawValue, failure.message(about: result.file), signal: failure.signal, isRetryable: true)
        case .refused(let refusal): return shown("refused", refusal.message, isRetryable: false)
        }
    }
}
