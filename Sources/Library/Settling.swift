internal import Database
internal import Digest
public import Jobs
internal import Manifests
internal import Storage

/// A file below `photos/` that was made to follow its row.
public enum SettledName: Hashable, Sendable {
    case linked(RelativePath)
    case removed(RelativePath)
    /// The row's object is not there; nothing was changed.
    case objectMissing(RelativePath)
}

/// Rows first, links second: a transaction writes rows and, with them, the names whose files have to follow
/// (`unsettled`). The links are made after the commit. Whatever dies in between, those names are still noted, and
/// making them follow again does no harm. So `photos/` never shows what no row stands for, and catches up at the
/// next start.
extension LibraryStore {
    /// Makes every noted name's file what its row says: links first, then removals, so that a photo whose name changes
    /// is never without one. Returns when the folders are durable.
    ///
    /// - Parameter each: called after each name. What it throws stops the settling, and leaves the rest noted.
    /// - Throws: `LibraryError`; the names stay noted.
    public func settle(_ each: (SettledName) throws -> Void = { _ in }) throws {
        try LibraryError.naming(folder) {
            var folders = FolderBatch(root: root)
            var nobodys: [RelativePath] = []
            try eachUnsettledName { name in
                guard let object = name.object else { return nobodys.append(name.path) }
                let isThere = try link(object, at: name.path, in: &folders)
                try each(isThere ? .linked(name.path) : .objectMissing(name.path))
            }
            for path in nobodys {
                try folders.remove(path)
                try each(.removed(path))
            }
            try folders.sync()
        }
    }

    /// Forgets the noted names, once `settle` returned; in the next transaction, so that it costs no commit of its own.
    public func markSettled() throws { try connection.run("DELETE FROM unsettled") }

    public var hasUnsettledNames: Bool {
        get throws { try connection.first("SELECT 1 FROM unsettled LIMIT 1") { _ in true } ?? false }
    }

    private struct UnsettledName {
        let path: RelativePath
        /// What the file has to be; nil for a name nobody has any more.
        let object: RelativePath?
    }

    private func eachUnsettledName(_ body: (UnsettledName) throws -> Void) throws {
        try connection.each(
            """
            SELECT u.path, t.key, c.asset, c.extension FROM unsettled u LEFT JOIN tree t ON t.path = u.path
            LEFT JOIN copies c ON t.key IS NULL AND c.asset = t.asset ORDER BY u.path
            """
        ) { row in try body(UnsettledName(path: try row.path(0), object: Self.object(of: row))) }
    }

    static func object(of row: borrowing Row) throws -> RelativePath? {
        if !row.isNull(1) { return LibraryLayout.photo(RenditionKey(digest: try row.digest(1))) }
        return row.isNull(2) ? nil : LibraryLayout.original(try row.digest(2), fileExtension: row.text(3))
    }

    /// False where the object is missing.
    private func link(
        _ object: RelativePath, at path: RelativePath, in folders: inout FolderBatch
    ) throws -> Bool {
        do {
            try folders.link(object, at: path)
            return true
        } catch let error as StorageError where error.kind == .notFound {
            if try root.factsIfPresent(of: object.bytes) == nil { return false }
            throw error
        }
    }
}
