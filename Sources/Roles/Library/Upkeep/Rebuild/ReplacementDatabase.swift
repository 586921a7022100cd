internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// A database that will replace the library's own: filled from what the files say, then moved to its name in one
/// rename. Until then the old database is untouched, but for its tables being brought up to date. One that is not finished is
/// removed, but by a process that is killed, which leaves at most a file that the next rebuild overwrites.
///
/// An old database that is damaged is kept under another name: albums and histories are nowhere else.
final class ReplacementDatabase {
    private let folder: String
    private let lock: LibraryLock
    private let old: LibraryStore?
    private let new: LibraryStore
    private let database: LibraryDatabase
    private var isInPlace = false

    /// True if the old database could be read, so that the new one takes its offsets and clocks.
    var keepsBookkeeping: Bool { old != nil }
    /// What is wrong with the old database, of which nothing is taken then; nil if it was read, or is missing.
    let damage: String?

    /// Takes the library's lock.
    ///
    /// - Throws: `LibraryError`: `busy`; `notALibrary` if there is no such folder; `newer` if a newer Rawmill wrote the
    ///   database, because it may hold what this one cannot rebuild.
    init(folder: String) throws {
        self.folder = folder
        let lock = try LibraryLock(folder: folder)
        self.lock = lock
        switch try Self.oldStore(folder, lock) {
        case .readable(let store): (old, damage) = (store, nil)
        case .missing: (old, damage) = (nil, nil)
        case .damaged(let cause): (old, damage) = (nil, cause)
        }
        (database, new) = try LibraryError.wrapping(folder) {
            let root = try Root(path: folder)
            try (LibraryLocation(root) ?? .file).removeReplacement(root)
            do {
                let database = try LibraryDatabase(folder: folder, mode: .write, part: .replacement, lock: lock)
                return (database, try LibraryStore(root: root, database: database, lock: lock))
            } catch {
                LibraryLocation.abandonReplacement(root)
                throw error
            }
        }
    }

    deinit { if !isInPlace { LibraryLocation.abandonReplacement(new.root) } }

    private enum Old {
        case readable(LibraryStore)
        case missing
        case damaged(String)
    }

    /// Opens the old database, and reads it once.
    ///
    /// - Throws: `LibraryError` where that may succeed later, as on a disk that fails: it may have all that people know of their
    ///   photos.
    private static func oldStore(_ folder: String, _ lock: LibraryLock) throws -> Old {
        let old = try readStore(folder, lock)
        guard case .damaged = old, try LibraryLocation(library: folder) == .file else { return old }
        // SQLite calls damaged what the disk does not give back. Where it does by now, the tables may be whole.
        try LibraryError.wrapping(folder) {
            _ = try Root(path: folder).digest(of: Array(LibraryLayout.database.utf8))
        }
        return try readStore(folder, lock)
    }

    private static func readStore(_ folder: String, _ lock: LibraryLock) throws -> Old {
        do {
            let store = try openedStore(folder, lock)
            try store.content.eachLine { _ in }
            return .readable(store)
        } catch LibraryError.server {
            // It has no tables of the library.
            return .missing
        } catch let error as LibraryError {
            switch error.kind {
            case .notFound: return .missing
            case .damaged: return .damaged(error.account)
            case .busy, .newer, .older, .diskFull, .unavailable: throw error
            }
        } catch let error as InvalidRow {
            return .damaged("\(error)")
        }
    }

    private static func openedStore(_ folder: String, _ lock: LibraryLock) throws -> LibraryStore {
        do { return try LibraryStore(folder: folder, mode: .read) } catch LibraryError.older {
            return try LibraryStore(folder: folder, lock: lock)
        }
    }

    /// Adds renditions and copies of RAWs in one transaction.
    func add(_ renditions: [ObjectRendition], copies: [OriginalCopy]) throws {
        try new.transaction {
            // A removal that was cut off left the files of photos that a person took out.
            for rendition in renditions where try old?.removed.contains(rendition.record.key) != true {
                let finished = try old?.renditions.finished(rendition.record)
                try new.renditions.insert(
                    try located(rendition.record), finished: finished ?? rendition.modifiedMilliseconds,
                    isHeld: try old?.renditions.isHeld(rendition.record.id) ?? false)
            }
            for copy in copies { try new.copies.insert(copy, replacing: true) }
        }
    }

    /// The rendition where the old database located its RAW, if the path that the photo names was pruned there; and with the
    /// times of its files that the old database knows.
    private func located(_ record: RenditionRecord) throws -> RenditionRecord {
        guard let known = try old?.renditions.record(record.id), known.photo == record.photo
        else { return record }
        guard known.original.file != record.original.file,
            try old?.sightings.sighting(of: record.asset, at: record.original.file) == nil,
            let sighting = try old?.sightings.sighting(of: record.asset, at: known.original.file)
        else { return record.dated(as: known) }
        return record.seen(at: sighting)
    }

    /// Names every file below `photos/`, as far as possible as its links are now. Call it after the last `add`.
    ///
    /// - Returns: copies of RAWs that have no rendition; they are not in the new database.
    func arrangeTree() throws -> [RelativePath] {
        try new.transaction {
            let orphans = try new.copies.removeOrphans()
            // Names that people's files have are known before names are given.
            for (path, edit) in try old?.people.all() ?? [] {
                if let edit { try new.people.insert(edit) } else { try new.people.insert(path) }
            }
            try old?.sightings.each { asset, sighting in
                if try !new.renditions.records(of: asset).isEmpty { _ = try new.sightings.insert(sighting, of: asset) }
            }
            try takeHistories()
            try TreeRebuild(store: new).arrange()
            try new.results.raisePrecedence(to: new.renditions.highestPrecedence())
            if let old { try takeBookkeeping(from: old) } else { try new.pendingLinks.insertAll() }
            return orphans
        }
    }

    /// What people chose. Renditions that are gone are not part of a history any more.
    private func takeHistories() throws {
        guard let old else { return }
        try old.revisions.each { id in
            guard let history = try old.histories.history(of: id) else { return }
            try new.revisions.store(history, of: id)
            if let choice = try old.revisions.choice(for: id) { try new.revisions.choose(choice, for: id) }
            for key in Set(history.revisions.map(\.key))
            where try !new.renditions.contains(RenditionID(asset: id.asset, key: key)) {
                try new.revisions.remove(key, from: id)
            }
        }
    }

    private func takeBookkeeping(from old: LibraryStore) throws {
        try old.offsets.each { topic, partition, consumed in
            try new.offsets.advance(topic, partition: partition, to: consumed.next, known: consumed.known)
        }
        for result in try old.results.next(limit: .max) { try new.results.insert(result.record) }
        for removal in try old.removals.all() where try new.copies.copy(of: removal.asset) != nil {
            try new.removals.insert(removal)
        }
        for removal in try old.removals.confirmed() {
            _ = try new.removals.confirm(removal.source.file, asset: removal.asset)
        }
        try old.removed.each { key, asset, recipe in try new.removed.insert(key, asset, recipe: recipe) }
        for file in try old.removed.doomed() { try new.removed.doom(file) }
        try old.placed.each { path, file in try new.placed.set([path: file]) }
        for path in try old.pendingLinks.paths() { try new.pendingLinks.insert(path) }
        try new.renderTimes.add(try old.renderTimes.all())
        try new.albums.takeOver(old.albums)
    }

    /// Moves the new database to the place of the old one, and makes the links follow it.
    ///
    /// - Returns: the library, open for writing; and where a damaged database is kept, for people.
    consuming func replaceOld() throws -> (store: LibraryStore, kept: String?) {
        let kept = try LibraryError.wrapping(folder) {
            if old != nil { try (LibraryLocation(new.root) ?? .file).checkpointLibrary(of: folder) }
            return try database.replaceLibrary(keepsOld: damage != nil)
        }
        isInPlace = true
        let store = try LibraryStore(folder: folder, lock: lock)
        _ = try store.links.update([])
        return (store, kept)
    }
}
