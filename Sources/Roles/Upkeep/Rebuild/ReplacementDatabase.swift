internal import Albums
internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Storage

/// A database that is filled from files and then replaces the library's with one rename. Until then, only the old
/// database's tables are updated. An unfinished replacement is removed; a killed process leaves at most a file that the
/// next rebuild overwrites.
///
/// A damaged old database is kept under another name, because it alone has albums and histories.
final class ReplacementDatabase {
    private let folder: String
    private let lock: LibraryLock
    private let old: LibraryStore?
    private let new: LibraryStore
    private let database: LibraryDatabase
    private var isInPlace = false

    /// True if the old database is readable, so that the new one gets its offsets and clocks.
    var keepsBookkeeping: Bool { old != nil }
    /// The damage of the old database; nil if it was read or is missing.
    let damage: String?

    /// Takes the library's lock. Throws `LibraryError`: `busy`; `notALibrary` if the folder does not exist; `newer` if
    /// a newer Rawmill wrote the database, which may hold facts that this one cannot rebuild.
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

    /// Opens the old database and reads it once. Throws `LibraryError` if that may succeed later, as on a failing disk:
    /// the database may hold all of the users' work.
    private static func oldStore(_ folder: String, _ lock: LibraryLock) throws -> Old {
        let old = try readStore(folder, lock)
        guard case .damaged = old, try LibraryLocation(library: folder) == .file else { return old }
        // SQLite reports unreadable parts of a disk as damage. If the disk can read them again, the tables may be
        // whole.
        try LibraryError.wrapping(folder) {
            _ = try Root(path: folder).digest(of: Array(LibraryLayout.database.utf8))
        }
        return try readStore(folder, lock)
    }

    private static func readStore(_ folder: String, _ lock: LibraryLock) throws -> Old {
        do {
            let store = try openedStore(folder, lock)
            try store.tables.content.eachLine { _ in }
            return .readable(store)
        } catch LibraryError.server {
            // The file has no tables of the library.
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
            // An interrupted removal leaves files of removed photos.
            for rendition in renditions where try old?.tables.removed.contains(rendition.record.key) != true {
                let finished = try old?.tables.renditions.finished(rendition.record)
                try new.tables.renditions.insert(
                    try located(rendition.record), finished: finished ?? rendition.modifiedMilliseconds,
                    isHeld: try old?.tables.renditions.isHeld(rendition.record.id) ?? false)
            }
            for copy in copies { try new.tables.copies.insert(copy, replacing: true) }
        }
    }

    /// The rendition with its RAW's path and its files' times from the old database, if the photo's path was pruned
    /// there.
    private func located(_ record: RenditionRecord) throws -> RenditionRecord {
        guard let known = try old?.tables.renditions.record(record.id), known.photo == record.photo
        else { return record }
        guard known.original.file != record.original.file,
            try old?.tables.sightings.sighting(of: record.asset, at: record.original.file) == nil,
            let sighting = try old?.tables.sightings.sighting(of: record.asset, at: known.original.file)
        else { return record.dated(as: known) }
        return record.seen(at: sighting)
    }

    /// Names every file in `photos/`, if possible as before. Call it after the last `add`. Returns copies of RAWs
    /// without a rendition; they are not in the new database.
    func arrangeTree() throws -> [RelativePath] {
        try new.transaction {
            let orphans = try new.tables.copies.removeOrphans()
            // Names of users' files come first.
            for (path, edit) in try old?.tables.people.all() ?? [] {
                if let edit { try new.tables.people.insert(edit) } else { try new.tables.people.insert(path) }
            }
            try old?.tables.sightings.each { asset, sighting in
                if try !new.tables.renditions.records(of: asset).isEmpty {
                    _ = try new.tables.sightings.insert(sighting, of: asset)
                }
            }
            try takeHistories()
            try TreeRebuild(store: new).arrange()
            try new.tables.results.raisePrecedence(to: new.tables.renditions.highestPrecedence())
            if let old { try takeBookkeeping(from: old) } else { try new.tables.pendingLinks.insertAll() }
            return orphans
        }
    }

    /// Copies users' choices, without removed renditions.
    private func takeHistories() throws {
        guard let old else { return }
        try old.tables.revisions.each { id in
            guard let history = try old.histories.history(of: id) else { return }
            try new.tables.revisions.store(history, of: id)
            if let choice = try old.tables.revisions.choice(for: id) {
                try new.tables.revisions.choose(choice, for: id)
            }
            for key in Set(history.revisions.map(\.key))
            where try !new.tables.renditions.contains(RenditionID(asset: id.asset, key: key)) {
                try new.tables.revisions.remove(key, from: id)
            }
        }
    }

    private func takeBookkeeping(from old: LibraryStore) throws {
        try old.tables.offsets.each { topic, partition, consumed in
            try new.tables.offsets.advance(topic, partition: partition, to: consumed.next, known: consumed.known)
        }
        for result in try old.tables.results.next(limit: .max) { try new.tables.results.insert(result.record) }
        for removal in try old.tables.removals.all() where try new.tables.copies.copy(of: removal.asset) != nil {
            try new.tables.removals.insert(removal)
        }
        for removal in try old.tables.removals.confirmed() {
            _ = try new.tables.removals.confirm(removal.source.file, asset: removal.asset)
        }
        try old.tables.removed.each { key, asset, recipe in try new.tables.removed.insert(key, asset, recipe: recipe) }
        for file in try old.tables.removed.doomed() { try new.tables.removed.doom(file) }
        try old.tables.placed.each { path, file in try new.tables.placed.set([path: file]) }
        for path in try old.tables.pendingLinks.paths() { try new.tables.pendingLinks.insert(path) }
        try new.tables.renderTimes.add(try old.tables.renderTimes.all())
        try new.albums.takeOver(old.albums)
    }

    /// Replaces the old database and updates the links. Returns the library, open for writing; and the place of a kept
    /// damaged database, for messages.
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
