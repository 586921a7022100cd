internal import Database
internal import Digest
public import Jobs
internal import Manifests
internal import Storage

/// A library's database on its way to take the place of the one that is there: filled from what the files say, then
/// swapped in one rename. Until that, the old one is untouched, and a kill leaves at most a file that the next rebuild
/// overwrites.
public final class ReplacementDatabase {
    private static let database = "\(LibraryLayout.database).rebuild"
    /// What SQLite keeps beside a database.
    private static let companions = ["-wal", "-shm", "-journal"]

    private let folder: String
    private let lock: LibraryLock
    private let old: LibraryStore?
    private let new: LibraryStore

    /// True where the old database could be read, and the new one takes over its offsets and clocks.
    public var keepsBookkeeping: Bool { old != nil }

    /// Takes the library's lock.
    ///
    /// - Throws: `LibraryError`: `busy`, `notALibrary` where there is no such folder, `newer` where the database is of
    ///   a newer Rawmill: it may know what this one cannot rebuild.
    public init(folder: String) throws {
        self.folder = folder
        let lock = try LibraryLock(folder: folder)
        self.lock = lock
        old = try Self.readable(folder)
        new = try LibraryError.naming(folder) {
            let root = try Root(path: folder)
            for ending in [""] + Self.companions { try root.remove(Array((Self.database + ending).utf8)) }
            return try LibraryStore(folder: folder, mode: .write, database: Self.database, lock: lock)
        }
    }

    /// Nil for one that is missing, damaged, or too old to ask.
    private static func readable(_ folder: String) throws -> LibraryStore? {
        do {
            let store = try LibraryStore(folder: folder, mode: .read)
            try store.eachContentLine { _ in }
            return store
        } catch let error as LibraryError {
            if case .newer = error { throw error }
            return nil
        } catch is InvalidRow {
            return nil
        }
    }

    /// Adds renditions and RAWs' copies, in one transaction. Those of an earlier call stay.
    public func add(_ renditions: [ObjectRendition], copies: [OriginalCopy]) throws {
        try new.transaction {
            for rendition in renditions {
                let known = try old?.finished(rendition.record)
                try new.insert(rendition.record, finished: known ?? rendition.modifiedMilliseconds)
            }
            for copy in copies {
                try new.connection.run(
                    "INSERT OR REPLACE INTO copies VALUES (?, ?, ?)", copy.asset.bytes, copy.fileExtension,
                    copy.sizeBytes)
                new.hasCopies = true
            }
        }
    }

    /// Gives everything its place below `photos/`, as the links that are there say. After the last `add`.
    ///
    /// - Returns: RAWs' copies without any rendition, which are not in the library.
    public func arrange() throws -> [RelativePath] {
        try new.transaction {
            let orphans = try new.removeOrphanCopies()
            try TreeRebuilder(store: new).arrange()
            if let old { try new.takeBookkeeping(from: old) }
            return orphans
        }
    }

    /// Puts the new database in the place of the old one, and makes the links follow it.
    public consuming func replace() throws {
        try LibraryError.naming(folder) {
            if old != nil { try Connection(path: "\(folder)/\(LibraryLayout.database)").foldIn() }
            try new.connection.foldIn()
            try new.connection.script("PRAGMA journal_mode=DELETE")
            let root = new.root
            // A log left beside the new database would be taken for its own.
            for ending in Self.companions { try root.remove(Array((LibraryLayout.database + ending).utf8)) }
            try root.move(Array(Self.database.utf8), to: Array(LibraryLayout.database.utf8))
        }
        let store = try LibraryStore(
            folder: folder, mode: .write, database: LibraryLayout.database, lock: lock)
        try store.settle()
        try store.transaction { try store.markSettled() }
    }
}

/// What one file of `objects/` says.
public struct ObjectRendition: Hashable, Sendable {
    public let record: RenditionRecord
    /// The file's time of modification, milliseconds since 1970: stands for the time of finishing where no database
    /// knows that.
    public let modifiedMilliseconds: Int64

    public init(record: RenditionRecord, modifiedMilliseconds: Int64) {
        self.record = record
        self.modifiedMilliseconds = modifiedMilliseconds
    }
}
