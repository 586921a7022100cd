internal import Database
internal import Jobs
internal import Manifests

/// What a manifest did to the ledger.
enum ManifestResult: Hashable, Sendable {
    /// It ended its job, or turned a failed or cancelled job into a late success.
    case ended(JobState)
    /// It is a repetition, or about an older round.
    case repeated
    /// No such job was accepted here.
    case unknown
}

/// Ends jobs as their manifests say.
struct ManifestMerge {
    private let connection: Connection
    private let jobs: JobsTable
    private let offsets: TopicOffsets

    init(_ connection: Connection, jobs: JobsTable, offsets: TopicOffsets) {
        self.connection = connection
        self.jobs = jobs
        self.offsets = offsets
    }

    /// Ends the manifests' jobs and notes how far the topic was read, in one transaction. A manifest that the broker
    /// delivers again after a crash finds its job ended.
    ///
    /// - Parameter next: by partition, the offset of the next manifest to read.
    func merge(_ manifests: [Manifest], next: [Int32: Int64]) throws -> [ManifestResult] {
        try connection.transaction {
            let results = try manifests.map(merge)
            try offsets.noteManifests(next)
            return results
        }
    }

    private func merge(_ manifest: Manifest) throws -> ManifestResult {
        guard let job = try jobs.progress(of: manifest.job, manifest.source.raw.file) else { return .unknown }
        guard let state = job.state.next(after: manifest.outcome, manifestRound: manifest.round, round: job.round)
        else { return .repeated }
        try jobs.end(job.sequence, as: state, manifest)
        return .ended(state)
    }
}
