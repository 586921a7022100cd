internal import Jobs
internal import Manifests

/// What has become of a cluster's jobs, by the cataloguer's word: failures in full, and for jobs that end while the page is
/// there also their photos, which the word does not tell.
struct JobOutcomes {
    /// One end of a job.
    private struct End: Hashable {
        let job: JobID
        let round: UInt32
    }

    /// More are not kept: a person reads some, and the coordinator counts all.
    static let maxFailures = 20_000
    /// Topics are read side by side: what is so far ahead of the other is given up.
    static let maxWaiting = 20_000

    private var failed: [JobID: FailureSummary] = [:]
    private var manifests: [End: Manifest] = [:]
    private var words: Set<End> = []

    /// In no order.
    var failures: [FailureSummary] { Array(failed.values) }

    /// Takes the cataloguer's word.
    ///
    /// - Returns: the job's manifest if it has ended and the manifest is known.
    mutating func take(_ result: JobResult) -> Manifest? {
        failed[result.job] = nil
        if let failure = Self.failure(result), failed.count < Self.maxFailures { failed[result.job] = failure }
        if case .refused = result.outcome { return nil }
        let end = End(job: result.job, round: result.round)
        if let manifest = manifests.removeValue(forKey: end) { return manifest }
        if words.count >= Self.maxWaiting { words.removeAll() }
        words.insert(end)
        return nil
    }

    /// Takes a worker's word.
    ///
    /// - Returns: the manifest if the cataloguer has said that the job ended.
    mutating func take(_ manifest: Manifest) -> Manifest? {
        let end = End(job: manifest.job, round: manifest.round)
        if words.remove(end) != nil { return manifest }
        if manifests.count >= Self.maxWaiting { manifests.removeAll() }
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
