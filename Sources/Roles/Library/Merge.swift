internal import Database
internal import Digest
public import Jobs
internal import Manifests
internal import Storage

/// What merging one rendition did to the library.
public struct RenditionMergeResult: Hashable, Sendable {
    public enum Change: Hashable, Sendable {
        case added
        /// The same key, other bytes: the metadata changed, or the RAW moved.
        case replaced
        /// It was in the library already, as it is.
        case none
    }

    public let key: RenditionKey
    public let change: Change
    /// True where it is what `photos/` shows of its look now.
    public let isCurrent: Bool
}

/// Merging does the same whatever order manifests come in and however often: every decision compares what is in the
/// row, what is in the manifest and what is in the file, never which came first.
extension LibraryStore {
    /// Takes a rendition into the library, within a transaction.
    ///
    /// Its file must be there: no row without its file. Where the library has the same key with other bytes, the file
    /// decides which of the two is true; the other manifest is about bytes that are no more.
    ///
    /// - Parameter finished: milliseconds since 1970. Of two renditions of one look the one finished later is shown.
    /// - Throws: `MergeRefusal` before anything was written; `DatabaseError`, `StorageError`.
    public func merge(_ record: RenditionRecord, finished: Int64) throws -> RenditionMergeResult {
        let known = try standing(record.key)
        let change = try change(from: known, to: record)
        var clock = finished
        switch change {
        case .added: try insert(record, finished: finished)
        case .replaced: try insert(record, finished: finished, replacing: true)
        case .none:
            clock = max(finished, known?.finished ?? finished)
            if let known, clock > known.finished { try setFinished(clock, of: record.key) }
        }
        let isCurrent = try makeCurrent(record, finished: clock, replaced: change == .replaced)
        if hasCopies, change != .none || clock != known?.finished { try placeOriginal(of: record.asset) }
        return RenditionMergeResult(key: record.key, change: change, isCurrent: isCurrent)
    }

    /// Takes a RAW's copy into the library, within the transaction of its renditions, after them.
    ///
    /// - Returns: false where it was there already.
    /// - Throws: `MergeRefusal` where there is no such file.
    @discardableResult
    public func merge(_ copy: OriginalCopy) throws -> Bool {
        if try self.copy(of: copy.asset) != nil { return false }
        guard let facts = try root.factsIfPresent(of: copy.path.bytes) else {
            throw MergeRefusal.missingFile(copy.path)
        }
        guard facts.sizeBytes == copy.sizeBytes else { throw MergeRefusal.otherBytes(copy.path) }
        try connection.run(
            "INSERT INTO copies VALUES (?, ?, ?)", copy.asset.bytes, copy.fileExtension, copy.sizeBytes)
        hasCopies = true
        try placeOriginal(of: copy.asset)
        return true
    }

    private struct Standing {
        let photo: [UInt8]
        let preview: [UInt8]
        let finished: Int64
    }

    private func standing(_ key: RenditionKey) throws -> Standing? {
        try connection.first(
            "SELECT photo_sha256, preview_sha256, finished FROM renditions WHERE key = ?", key.digest.bytes
        ) { row in Standing(photo: row.blob(0), preview: row.blob(1), finished: row.integer(2)) }
    }

    private func change(from known: Standing?, to record: RenditionRecord) throws -> RenditionMergeResult.Change {
        let path = LibraryLayout.photo(record.key)
        guard let known else {
            guard let facts = try root.factsIfPresent(of: path.bytes) else { throw MergeRefusal.missingFile(path) }
            guard facts.sizeBytes == record.photo.sizeBytes else { throw MergeRefusal.otherBytes(path) }
            return .added
        }
        if known.photo == record.photo.digest.bytes {
            guard let preview = record.preview, preview.digest.bytes != known.preview else { return .none }
            let path = LibraryLayout.preview(record.key)
            return try fileDigest(path) == preview.digest.bytes ? .replaced : .none
        }
        guard let digest = try fileDigest(path) else { throw MergeRefusal.missingFile(path) }
        guard digest == record.photo.digest.bytes else { throw MergeRefusal.otherBytes(path) }
        return .replaced
    }

    private func fileDigest(_ path: RelativePath) throws -> [UInt8]? {
        guard try root.factsIfPresent(of: path.bytes) != nil else { return nil }
        return try root.identity(of: path.bytes).digest.bytes
    }

    private func setFinished(_ finished: Int64, of key: RenditionKey) throws {
        try connection.run("UPDATE renditions SET finished = ? WHERE key = ?", finished, key.digest.bytes)
    }

    /// Shows the rendition as its look's current one unless a newer one is shown; of two finished in the same
    /// millisecond the greater key is.
    private func makeCurrent(_ record: RenditionRecord, finished: Int64, replaced: Bool) throws -> Bool {
        let claim = TreeNaming.photo(record)
        let shown = try connection.first(
            """
            SELECT t.key, r.finished, t.path FROM tree t LEFT JOIN renditions r ON r.key = t.key
            WHERE t.asset = ? AND t.frame = ? AND t.look = ?
            """, record.asset.bytes, record.frame, record.recipe.look
        ) { row in (key: try row.digest(0), finished: row.integer(1), path: try row.path(2)) }
        if let shown {
            if shown.key == record.key.digest, !replaced { return true }
            let isNewer = (finished, record.key.digest) > (shown.finished, shown.key)
            guard isNewer || shown.key == record.key.digest else { return false }
        }
        try place(claim, key: record.key, from: shown?.path)
        return true
    }
}
