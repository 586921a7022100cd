internal import Database
internal import Digest
internal import Jobs

/// A source's columns in the ledger's job rows, always selected in this order.
enum JobColumns {
    static let source = """
        root, path, size, modified_ns, sidecar, sidecar_size, sidecar_modified_ns,
        companion, companion_size, companion_modified_ns, base
        """

    /// The round of a fresh start. A manifest may speak of the last one that a record can: then that one goes on.
    static let nextRound = "min(round + 1, \(UInt32.max))"

    /// True for a job whose file was accepted in a newer state, for the same recipe.
    static let isSuperseded = """
        EXISTS (SELECT 1 FROM jobs newer WHERE newer.root = jobs.root AND newer.path = jobs.path
            AND newer.recipe = jobs.recipe AND newer.seq > jobs.seq)
        """
}

extension LedgerStore {
    /// Reads `JobColumns.source` from the row, which has them from `first` on.
    func source(_ row: borrowing Row, from first: Int32) throws -> Source {
        let root = try rootName(row.integer(first))
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
        guard let path else { throw LedgerError.damaged("a file's name that cannot be one") }
        return FileStamp(
            file: FileReference(root: raw.file.root, path: path), sizeBytes: UInt64(bitPattern: row.integer(first + 1)),
            modifiedNanoseconds: row.integer(first + 2))
    }

    /// Reads reason, message and signal, which the row has from `first` on; nil for a job that did not fail.
    func failure(_ row: borrowing Row, from first: Int32) throws -> Failure? {
        guard !row.isNull(first) else { return nil }
        let reason = FailureReason(rawValue: row.text(first)) ?? .internalError
        return Failure(
            reason, row.text(first + 1), signal: row.isNull(first + 2) ? nil : Int32(clamping: row.integer(first + 2)))
    }

    func jobID(_ bytes: [UInt8]) throws -> JobID {
        guard let digest = SHA256Value(bytes: bytes) else { throw LedgerError.damaged("a job without an id") }
        return JobID(digest: digest)
    }
}
