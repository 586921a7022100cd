internal import Database
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

extension LibraryStore {
    /// When the rendition of these bytes was finished; nil where it is not known.
    func finished(_ record: RenditionRecord) throws -> Int64? {
        try connection.first(
            "SELECT finished FROM renditions WHERE key = ? AND photo_sha256 = ?", record.key.digest.bytes,
            record.photo.digest.bytes
        ) { $0.integer(0) }
    }

    /// A copy whose job never ended has no rendition: its job is still open, or was given up.
    func removeOrphanCopies() throws -> [RelativePath] {
        let isOrphan = "asset NOT IN (SELECT asset FROM renditions)"
        let orphans = try connection.all("SELECT asset, extension FROM copies WHERE \(isOrphan) ORDER BY asset") {
            LibraryLayout.original(try $0.digest(0), fileExtension: $0.text(1))
        }
        try connection.run("DELETE FROM copies WHERE \(isOrphan)")
        return orphans
    }

    func takeBookkeeping(from old: LibraryStore) throws {
        try old.connection.each("SELECT cluster, topic, partition, next FROM offsets") { row in
            try connection.run(
                "INSERT OR REPLACE INTO offsets VALUES (?, ?, ?, ?)", row.text(0), row.text(1), row.integer(2),
                row.integer(3))
        }
        for removal in try old.removals() where try copy(of: removal.asset) != nil { try note(removal) }
        // Names the old library was about to remove. Where the name is the only one its file has, it stays: the bytes
        // are worth more than order, and `verify` names it.
        try old.connection.each("SELECT path FROM unsettled") { row in
            let path = try row.path(0)
            if let facts = try root.factsIfPresent(of: path.bytes), facts.links > 1 { try unsettle(path) }
        }
    }
}

extension Connection {
    /// Writes the log's contents into the database file itself, as far as readers of it allow.
    func foldIn() throws { try each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }
}

/// Gives every file its place below `photos/` anew.
struct TreeRebuilder {
    let store: LibraryStore

    func arrange() throws {
        var group: [Candidate] = []
        try store.connection.each(
            """
            SELECT \(LibraryStore.renditionColumns), r.finished FROM \(LibraryStore.renditionSource)
            ORDER BY r.asset, r.frame, p.look, r.finished, r.key
            """
        ) { row in
            let next = Candidate(
                record: try RenditionRecord(row), finished: row.integer(LibraryStore.renditionWidth))
            if let first = group.first, !first.isOfSameLook(as: next) {
                try show(group)
                group.removeAll()
            }
            group.append(next)
        }
        try show(group)
        for asset in try store.connection.all("SELECT asset FROM copies ORDER BY asset", make: { try $0.digest(0) }) {
            try store.placeOriginal(of: asset)
        }
    }

    private struct Candidate {
        let record: RenditionRecord
        let finished: Int64

        func isOfSameLook(as other: Candidate) -> Bool {
            record.asset == other.record.asset && record.frame == other.record.frame
                && record.recipe.look == other.record.recipe.look
        }
    }

    /// Shows the rendition of a look that `photos/` shows already; where it shows none of them, the newest.
    private func show(_ candidates: [Candidate]) throws {
        guard let newest = candidates.last else { return }
        let shown = candidates.count == 1 ? newest : try candidates.last { try isShown($0.record) } ?? newest
        if shown.record.key != newest.record.key {
            // So that the shown one is the newest in every comparison to come, too.
            try store.connection.run(
                "UPDATE renditions SET finished = ? WHERE key = ?", newest.finished &+ 1, shown.record.key.digest.bytes)
        }
        try store.place(TreeNaming.photo(shown.record), key: shown.record.key)
    }

    private func isShown(_ record: RenditionRecord) throws -> Bool {
        guard let object = try store.root.factsIfPresent(of: LibraryLayout.photo(record.key).bytes) else {
            return false
        }
        for name in TreeNaming.photo(record).names {
            guard let facts = try store.root.factsIfPresent(of: name.bytes) else { continue }
            if facts.device == object.device, facts.inode == object.inode { return true }
            // Without hard links the photo is a copy.
            guard facts.links == 1, facts.sizeBytes == object.sizeBytes else { continue }
            if try store.root.identity(of: name.bytes).digest == record.photo.digest { return true }
        }
        return false
    }
}
