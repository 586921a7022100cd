internal import Database
internal import Digest
public import Jobs
internal import Manifests
internal import Storage

/// A file below `photos/` that was made to follow its row.
public enum LinkUpdate: Hashable, Sendable {
    case linked(RelativePath)
    case removed(RelativePath)
    /// The row's object is not there; nothing was changed.
    case objectMissing(RelativePath)
    /// The name cannot be had, and why: the file system does not take it, or something else stands there. Nothing was
    /// changed, and nothing will be by trying again before a person did something.
    case refused(RelativePath, cause: String)
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
    public func settle(_ each: (LinkUpdate) throws -> Void = { _ in }) throws {
        try LibraryError.naming(folder) {
            var folders = LinkBatch(root: root)
            var nobodys: [RelativePath] = []
            try eachUnsettledName { name in
                guard let object = name.object else { return nobodys.append(name.path) }
                try each(try link(object, at: name.path, in: &folders))
            }
            for path in nobodys { try each(try remove(path, in: &folders)) }
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

    private func link(
        _ object: RelativePath, at path: RelativePath, in folders: inout LinkBatch
    ) throws -> LinkUpdate {
        do {
            try folders.link(object, at: path)
            return .linked(path)
        } catch let error as StorageError {
            if error.kind == .notFound, try root.factsIfPresent(of: object.bytes) == nil { return .objectMissing(path) }
            return try Self.refused(path, error)
        }
    }

    private func remove(_ path: RelativePath, in folders: inout LinkBatch) throws -> LinkUpdate {
        do {
            try folders.remove(path)
            return .removed(path)
        } catch let error as StorageError {
            return try Self.refused(path, error)
        }
    }

    /// One name's own fault keeps no other from its place.
    ///
    /// - Throws: the error, where it is the storage's fault.
    private static func refused(_ path: RelativePath, _ error: StorageError) throws -> LinkUpdate {
        switch error.kind {
        case .badPath, .exists, .wrongKind: return .refused(path, cause: error.cause)
        default: throw error
        }
    }
}
