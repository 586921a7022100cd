internal import Database
internal import Digest
internal import Jobs
internal import Manifests

extension JobsTable {
    static let sourceColumns = """
        root, path, size, modified_ns, sidecar, sidecar_size, sidecar_modified_ns,
        companion, companion_size, companion_modified_ns, base
        """

    /// The round of a fresh start, up to the largest that a record can hold.
    static let nextRound = "min(round + 1, \(UInt32.max))"

    /// Selects jobs whose file was accepted in a newer state with the same recipe.
    static let isSuperseded = """
        EXISTS (SELECT 1 FROM jobs newer WHERE newer.root = jobs.root AND newer.path = jobs.path
            AND newer.recipe = jobs.recipe AND newer.seq > jobs.seq)
        """

    /// Selects jobs that a retry opens: failed ones, and those with failed frames whose other photos are in the
    /// library.
    static let isRetryable = "(jobs.state = 4 OR (jobs.state = 3 AND frames_reason IS NOT NULL AND removed = 0))"

    static let isRefused = "(refusals > 0 AND jobs.state < 2)"

    /// Selects refused jobs whose RAW a worker did not see; the library refused the photos of the others.
    static let isUnseen = "refusal IN ('\(Refusal.sourcePresent)', '\(Refusal.rootUnseen)')"

    func source(_ row: borrowing Row, from first: Int32) throws -> Source {
        let root = try roots.name(row.integer(first))
        guard let path = RelativePath(bytes: row.blob(first + 1)) else {
            throw LedgerError.damaged("a job without a path")
        }
        let raw = FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: UInt64(bitPattern: row.integer(first + 2)),
            modifiedNanoseconds: row.integer(first + 3))
        return Source(
            raw: raw, sidecar: try stamp(row, from: first + 4, beside: raw),
            companion: try stamp(row, from: first + 7, beside: raw), photoBase: row.blob(first + 10))
    }

    private func stamp(_ row: borrowing Row, from first: Int32, beside raw: FileStamp) throws -> FileStamp? {
        guard !row.isNull(first) else { return nil }
        let name = row.blob(first)
        let path = raw.file.path.folder.map { $0.appending(name) } ?? RelativePath(bytes: name)
        guard let path else { throw LedgerError.damaged("an invalid file name") }
        return FileStamp(
            file: FileReference(root: raw.file.root, path: path), sizeBytes: UInt64(bitPattern: row.integer(first + 1)),
            modifiedNanoseconds: row.integer(first + 2))
    }

    static func failure(_ row: borrowing Row, from first: Int32) throws -> Failure? {
        guard !row.isNull(first) else { return nil }
        let reason = FailureReason(rawValue: row.text(first)) ?? .internalError
        return Failure(
            reason, row.text(first + 1), signal: row.isNull(first + 2) ? nil : Int32(clamping: row.integer(first + 2)))
    }

    static func id(_ bytes: [UInt8]) throws -> JobID {
        guard let digest = SHA256Value(bytes: bytes) else { throw LedgerError.damaged("a job without an id") }
        return JobID(digest: digest)
    }
}
