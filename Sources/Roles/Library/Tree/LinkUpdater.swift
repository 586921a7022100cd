public import Jobs
internal import Storage

/// What became of one name below `photos/` that had to follow its row.
public enum LinkUpdate: Hashable, Sendable {
    /// The file is now a link to its row's object.
    case linked(RelativePath)
    /// No row has the name, and the file is gone.
    case removed(RelativePath)
    /// The row's object does not exist. Nothing was changed.
    case objectMissing(RelativePath)
    /// The name cannot be used, for this cause: the file system refuses it, or something else has it. Nothing was
    /// changed, and another attempt fails too until a person clears the way.
    case refused(RelativePath, cause: String)
}

/// Makes the files below `photos/` follow their rows.
///
/// Rows come first, links second. A transaction writes rows and notes the names whose files have to follow; the links
/// are made after its commit. If the process dies in between, the names are still noted, and making their links again
/// does no harm. So `photos/` never shows a file without a row, and catches up at the next start.
public struct LinkUpdater {
    private let root: Root
    private let database: LibraryDatabase
    private let pending: PendingLinkTable

    init(root: Root, database: LibraryDatabase, pending: PendingLinkTable) {
        self.root = root
        self.database = database
        self.pending = pending
    }

    /// Updates every noted name: links first, then removals, so that a photo whose name changes is never without one.
    /// On return the folders are durable. The names stay noted until `clearPending`.
    ///
    /// - Parameter onUpdate: called after each name. An error it throws ends the update and leaves the rest noted.
    /// - Throws: `LibraryError`; what `onUpdate` throws.
    public func updatePending(_ onUpdate: (LinkUpdate) throws -> Void = { _ in }) throws {
        try LibraryError.wrapping(database.folder) {
            var batch = LinkBatch(root: root)
            var unused: [RelativePath] = []
            try pending.each { path, object in
                guard let object else { return unused.append(path) }
                try onUpdate(try link(object, at: path, in: &batch))
            }
            for path in unused { try onUpdate(try remove(path, in: &batch)) }
            try batch.sync()
        }
    }

    /// Forgets the noted names after `updatePending` has returned. Belongs in the next transaction, so that it needs no
    /// commit of its own.
    ///
    /// - Throws: `LibraryError`.
    public func clearPending() throws { try pending.removeAll() }

    /// True if names are noted whose files may not match their rows yet.
    ///
    /// - Throws: `LibraryError`.
    public var hasPending: Bool { get throws { try !pending.isEmpty } }

    /// Updates these names and all that were noted before, in transactions of its own. A name without a row is removed.
    ///
    /// - Throws: `LibraryError`.
    func update(_ paths: [RelativePath]) throws -> [LinkUpdate] {
        var updates: [LinkUpdate] = []
        try database.transaction { for path in paths { try pending.insert(path) } }
        try updatePending { updates.append($0) }
        try database.transaction { try clearPending() }
        return updates
    }

    private func link(
        _ object: RelativePath, at path: RelativePath, in batch: inout LinkBatch
    ) throws -> LinkUpdate {
        do {
            try batch.link(object, at: path)
            return .linked(path)
        } catch let error as StorageError {
            if error.kind == .notFound, try root.factsIfPresent(of: object.bytes) == nil { return .objectMissing(path) }
            return try Self.refusal(of: path, error)
        }
    }

    private func remove(_ path: RelativePath, in batch: inout LinkBatch) throws -> LinkUpdate {
        do {
            try batch.remove(path)
            return .removed(path)
        } catch let error as StorageError {
            return try Self.refusal(of: path, error)
        }
    }

    /// An error that concerns this name alone does not stop the others.
    ///
    /// - Throws: the error, if it concerns the storage as a whole.
    private static func refusal(of path: RelativePath, _ error: StorageError) throws -> LinkUpdate {
        switch error.kind {
        case .badPath, .exists, .wrongKind: return .refused(path, cause: error.cause)
        default: throw error
        }
    }
}
