internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// What a manifest did to the ledger.
public enum Closing: Hashable, Sendable {
    /// It ended its job, or made a late success of a failed or cancelled one.
    case ended(JobState)
    /// It was there before, or tells of an older round.
    case repeated
    /// No such job was accepted here.
    case unknown
}

extension LedgerStore {
    /// Ends the manifests' jobs and notes how far the manifests topic is read, in one transaction: whatever the
    /// broker delivers again after a crash finds its job ended.
    ///
    /// - Parameter offsets: by partition, the offset of the next manifest to read.
    func close(_ manifests: [Manifest], offsets: [Int32: Int64]) throws -> [Closing] {
        try connection.transaction {
            let closings = try manifests.map(close)
            for (partition, next) in offsets {
                try connection.run(
                    """
                    INSERT INTO offsets VALUES (?, ?)
                    ON CONFLICT(partition) DO UPDATE SET next = excluded.next
                    """, partition, next)
            }
            return closings
        }
    }

    /// Where to read the manifests topic on.
    public func manifestOffsets() throws -> [Int32: Int64] {
        let pairs = try connection.all("SELECT partition, next FROM offsets") { row in
            (Int32(clamping: row.integer(0)), row.integer(1))
        }
        return Dictionary(pairs) { _, last in last }
    }

    private func close(_ manifest: Manifest) throws -> Closing {
        let file = manifest.source.raw.file
        guard let root = try knownRoot(file.root) else { return .unknown }
        let job = try connection.first(
            "SELECT seq, state, round FROM jobs WHERE root = ? AND path = ? AND id = ?", root, file.path.bytes,
            manifest.job.digest.bytes
        ) { ($0.integer(0), JobState(rawValue: Int($0.integer(1))), UInt32(clamping: $0.integer(2))) }
        guard let (sequence, state, round) = job, let state else { return .unknown }
        guard let end = state.closed(by: manifest.outcome, manifestRound: manifest.round, round: round) else {
            return .repeated
        }
        try write(end, sequence: sequence, manifest)
        return .ended(end)
    }

    private func write(_ end: JobState, sequence: Int64, _ manifest: Manifest) throws {
        let failure: Failure? = if case .failed(let failure) = manifest.outcome { failure } else { nil }
        try connection.run(
            """
            UPDATE jobs SET state = ?, round = max(round, ?), attempts = ?, finished_ms = ?, reason = ?, message = ?,
                signal = ?, asset = coalesce(?, asset) WHERE seq = ?
            """, end.rawValue, manifest.round, manifest.attempts, manifest.finishedMilliseconds,
            failure?.reason.rawValue, failure?.message ?? manifest.degraded, failure?.signal, manifest.asset?.bytes,
            sequence)
    }
}

extension Manifest {
    /// The RAW's identity: the same for all its frames.
    fileprivate var asset: SHA256Value? {
        guard case .completed(let renditions) = outcome else { return nil }
        return renditions.first?.asset
    }

    /// Why the first rendition whose colours cannot be trusted is so.
    fileprivate var degraded: String? {
        guard case .completed(let renditions) = outcome else { return nil }
        return renditions.lazy.compactMap(\.degraded).first
    }
}
