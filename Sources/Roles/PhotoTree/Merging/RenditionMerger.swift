internal import Digest
public import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import Storage

/// The result of merging one rendition.
public struct RenditionMergeResult: Hashable, Sendable {
    /// A change to the library.
    public enum Change: Hashable, Sendable {
        /// The rendition is new.
        case added
        /// The library had this key with other bytes: the metadata changed, or the RAW moved.
        case replaced
        /// The library had the same rendition.
        case none
    }

    /// Identifies the rendition.
    public let key: RenditionKey
    /// The change to the library.
    public let change: Change
    /// True if `photos/` shows it as its look's current rendition.
    public let isCurrent: Bool
}

/// Adds renditions and copies of RAWs to the library's tables, within a transaction.
///
/// The result does not depend on the order of manifests or on repeats: each decision compares the row, the manifest and
/// the file. If the library has a rendition's key with other bytes, the file decides which manifest is true, because
/// the other one describes bytes that were replaced.
struct RenditionMerger {
    private typealias Change = RenditionMergeResult.Change

    private let root: Root
    private let renditions: RenditionTable
    private let copies: OriginalCopyTable
    private let tree: PhotoTree
    private let removed: RemovedTable
    private let metadata: BlockingMetadataReader

    init(root: Root, _ tables: LibraryTables, tree: PhotoTree, metadata: BlockingMetadataReader) {
        self.root = root
        self.tree = tree
        self.metadata = metadata
        renditions = tables.renditions
        copies = tables.copies
        removed = tables.removed
    }

    /// - Parameters:
    ///   - finished: the order's precedence.
    ///   - isHeld: true to hide the photo until a user chooses it, unless another order asked for it.
    ///   - reused: the hash of the existing photo file if it was reused instead of rendered.
    /// - Throws: `MergeRefusal` before any row of the rendition is written; `LibraryError`, `StorageError`.
    func merge(
        _ record: RenditionRecord, finished: Int64, isHeld: Bool = false, reused: SHA256Value?
    ) throws -> RenditionMergeResult {
        let known = try renditions.summary(record.id)
        // A worker wrote other bytes than the row records, before or after those of the row.
        if let known, known.photoDigest != record.photo.digest.bytes { try tree.lookAgain(at: record) }
        if let reused {
            let path = LibraryLayout.photo(record.key)
            guard let known else { throw MergeRefusal.unrecordedPhoto(path) }
            guard try vouches(known, for: record, reused) else { throw MergeRefusal.unprovenPhoto(path) }
        }
        let decided: Change?
        var record = record
        do { decided = try change(from: known, to: record) } catch let refusal as MergeRefusal {
            guard case .otherBytes = refusal, let successor = try successor(of: record) else { throw refusal }
            record = successor
            decided = known == nil ? .added : known?.photoDigest == record.photo.digest.bytes ? Change.none : .replaced
        }
        guard let change = decided else {
            // The newer file's manifest decides everything else.
            return RenditionMergeResult(key: record.key, change: .none, isCurrent: false)
        }
        // An order that is newer than the user's choice shows the rendition again; a repeated manifest does not.
        let staysHeld = known.map { $0.isHeld && (isHeld || finished <= $0.finished) } ?? isHeld
        let newest = max(isHeld ? 0 : finished, known?.finished ?? 0)
        switch change {
        case .added:
            try renditions.insert(record, finished: newest, isHeld: staysHeld)
            try removed.forget(record.key)
        case .replaced: try renditions.insert(record, finished: newest, isHeld: staysHeld, replacing: true)
        case .none:
            if let known, newest != known.finished || known.isHeld, !staysHeld {
                try renditions.setFinished(newest, of: record.id)
            }
        }
        let isCurrent = try show(record, finished: newest, isHeld: staysHeld, isReplaced: change == .replaced)
        if copies.mayHaveRows, change != .none || newest != known?.finished {
            try tree.placeOriginalCopy(of: record.asset)
        }
        return RenditionMergeResult(key: record.key, change: change, isCurrent: isCurrent)
    }

    /// - Returns: false if the library already had the copy.
    /// - Throws: `MergeRefusal` if the file is missing; `LibraryError`, `StorageError`.
    func merge(_ copy: OriginalCopy) throws -> Bool {
        if try copies.copy(of: copy.asset) != nil { return false }
        guard let facts = try root.factsIfPresent(of: copy.path.bytes) else {
            throw MergeRefusal.missingFile(copy.path)
        }
        guard facts.sizeBytes == copy.sizeBytes else { throw MergeRefusal.otherBytes(copy.path) }
        try copies.insert(copy)
        try removed.spare(copy.path)
        try tree.placeOriginalCopy(of: copy.asset)
        return true
    }

    /// True if the library knows a reused photo: in its reused form, with the metadata of another path, or in its
    /// present form after yet another path.
    private func vouches(
        _ known: RenditionTable.Summary, for record: RenditionRecord, _ reused: SHA256Value
    ) throws -> Bool {
        guard let preview = record.preview, known.previewDigest == preview.digest.bytes else { return false }
        if known.photoDigest == reused.bytes || known.photoDigest == record.photo.digest.bytes { return true }
        return try fileDigest(LibraryLayout.photo(record.key)) == known.photoDigest
    }

    /// The record of the file that replaced a manifest's photo, if it shows the same RAW at another path: that worker
    /// wrote its file after this one, and its manifest will follow.
    ///
    /// A process compromised by a RAW may have written the file, so the sandbox reads its metadata.
    private func successor(of record: RenditionRecord) throws -> RenditionRecord? {
        guard let file = ObjectFile(LibraryLayout.photo(record.key)),
            case .rendition(let found) = try ObjectContentReader.read(file, in: root, metadata),
            found.record.original.sizeBytes == record.original.sizeBytes,
            found.record.original.file != record.original.file,
            try root.factsIfPresent(of: LibraryLayout.preview(record.key).bytes) != nil
        else { return nil }
        return found.record
    }

    /// - Returns: nil for a manifest whose bytes a later rendering replaced, if the library has the later one.
    private func change(
        from known: RenditionTable.Summary?, to record: RenditionRecord
    ) throws -> Change? {
        let path = LibraryLayout.photo(record.key)
        guard let known else {
            guard let facts = try root.factsIfPresent(of: path.bytes) else { throw MergeRefusal.missingFile(path) }
            guard facts.sizeBytes == record.photo.sizeBytes else { throw MergeRefusal.otherBytes(path) }
            return .added
        }
        if known.photoDigest == record.photo.digest.bytes {
            // The row may be right and the file lost: a worker that writes to another path does not restore it.
            guard try root.factsIfPresent(of: path.bytes) != nil else { throw MergeRefusal.missingFile(path) }
            guard let preview = record.preview, preview.digest.bytes != known.previewDigest else { return Change.none }
            let path = LibraryLayout.preview(record.key)
            return try fileDigest(path) == preview.digest.bytes ? Change.replaced : Change.none
        }
        guard let digest = try fileDigest(path) else { throw MergeRefusal.missingFile(path) }
        if digest == known.photoDigest { return nil }
        guard digest == record.photo.digest.bytes else { throw MergeRefusal.otherBytes(path) }
        return .replaced
    }

    private func fileDigest(_ path: RelativePath) throws -> [UInt8]? {
        guard try root.factsIfPresent(of: path.bytes) != nil else { return nil }
        return try root.digest(of: path.bytes).digest.bytes
    }

    /// Shows a rendition as its variant's current one unless it is held. Shows one with new bytes wherever a user chose
    /// it. Returns true if a file in `photos/` shows it.
    private func show(_ record: RenditionRecord, finished: Int64, isHeld: Bool, isReplaced: Bool) throws -> Bool {
        var isShown = false
        if isReplaced || isHeld {
            for (id, key) in try tree.photos(of: record.asset)
            where key == record.key && (isHeld || id != TreeNaming.photo(record).id) {
                isShown = true
                if isReplaced { try place(record, as: id, from: try tree.current(id)?.path) }
            }
        }
        if isHeld { return isShown }
        return try makeCurrent(record, finished: finished, isReplaced: isReplaced) || isShown
    }

    private func place(_ record: RenditionRecord, as id: TreeEntryID, from path: RelativePath?) throws {
        try tree.place(TreeNaming.photo(record, as: id), key: record.key, from: path)
        try tree.showEverywhere(record, id)
    }

    /// Shows the rendition as its variant's current one unless a newer one is shown. The greater key breaks ties of
    /// precedence.
    private func makeCurrent(_ record: RenditionRecord, finished: Int64, isReplaced: Bool) throws -> Bool {
        let id = TreeNaming.photo(record).id
        let current = try tree.current(id)
        if let current {
            if current.key == record.key, !isReplaced { return true }
            let isNewer = (finished, record.key.digest) > (current.precedence, current.key.digest)
            guard isNewer || current.key == record.key else { return false }
        }
        try place(record, as: id, from: current?.path)
        return true
    }
}
