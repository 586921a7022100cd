internal import Digest
internal import Jobs
internal import Library
internal import Storage
internal import Telemetry

/// Brings what belongs to a RAW to where its copy is shown: sidecars, the camera's JPEG, sound and video of the same shot.
///
/// They are people's files: their copies in `photos/` are verified by hash and noted as people's own, never replaced, and
/// have no object. Where a RAW's copy is called by its hash, because another card's IMG_1 has its name, its companions are,
/// too, also those that were there before: they go on with their RAW. Of a RAW that is moved, each is removed once its copy
/// is there, unless another RAW of the folder has the same name and may need it.
struct CompanionCarrier {
    private let store: LibraryStore
    private let roots: Roots
    private let log: Logger
    private let names = FolderNames()

    init(store: LibraryStore, roots: Roots, log: Logger) {
        self.store = store
        self.roots = roots
        self.log = log
    }

    /// Copies the companions of a RAW, within the transaction that takes its copy into the library. Repeating it changes
    /// nothing. A companion that cannot be copied stays where it is, and the log says so.
    ///
    /// - Throws: `LibraryError`; `StorageError` if the library cannot be written.
    func carry(_ raw: FileReference, of asset: SHA256Value) throws {
        guard raw.root != .library, let places = try places(of: raw, asset) else { return }
        try followDisplaced(by: raw, in: places.folder)
        for companion in (try? companions(of: raw, in: places.root)) ?? [] {
            try carry(companion, of: raw, asset, places)
        }
    }

    /// Copies the companions that have no copies yet, in a transaction, before the RAW is removed: its root may have been away
    /// when its copy was taken into the library.
    ///
    /// - Throws: `LibraryError`; `StorageError` if the library cannot be written or the RAW's folder cannot be read.
    func carryMissing(_ raw: FileReference, of asset: SHA256Value) throws {
        guard let places = try places(of: raw, asset) else { return }
        let copies = Set(try store.assets.companions(of: asset).map(\.path))
        let missing = try companions(of: raw, in: places.root).filter {
            copies.isDisjoint(with: CompanionNames.copies(of: $0, raw, asset, places))
        }
        if missing.isEmpty { return }
        try store.transaction { for companion in missing { try carry(companion, of: raw, asset, places) } }
    }

    private func places(of raw: FileReference, _ asset: SHA256Value) throws -> CompanionPlaces? {
        guard let root = roots.mounted(raw.root.text),
            let copy = try store.assets.originalCopyPath(of: asset, for: raw), let folder = copy.folder
        else { return nil }
        return CompanionPlaces(root: root, folder: folder, isMarked: copy.name != raw.path.name)
    }

    /// Has the companions of RAWs whose name this one took go on with them, unless a RAW beside them may need them.
    private func followDisplaced(by raw: FileReference, in folder: RelativePath) throws {
        guard let name = folder.appending(raw.path.name) else { return }
        let displaced = try store.assets.originalsDisplaced(from: name)
        // Rare, and what came here a moment ago counts: the folder is read anew.
        let file = FileReference(root: .library, path: name)
        if try displaced.isEmpty || hasOtherRaw(file, in: store.root, among: FolderNames()) { return }
        for asset in displaced {
            for companion in try store.assets.companions(of: asset) where companion.path.folder == folder {
                guard let marked = CompanionNames.marked(companion.path.name, raw, asset, in: folder) else { continue }
                do { try rename(companion, to: marked) } catch let error as StorageError {
                    if error.kind == .diskFull || error.kind == .readOnly { throw error }
                    let file = FileReference(root: .library, path: companion.path)
                    logKept(file, "it could not get its RAW's name: \(error.cause)")
                }
            }
        }
    }

    /// Renames a companion, as it is now, unless another file has the name. Repeating it after any step changes nothing more.
    private func rename(_ companion: AdoptedEdit, to path: RelativePath) throws {
        let old = companion.path.bytes
        let now = try store.root.factsIfPresent(of: old)
        if let there = try store.root.factsIfPresent(of: path.bytes), there.id != now?.id {
            // A process that was killed got as far as this: the old name is free, or the other RAW's already.
            guard there.kind == .file, try store.root.storedDigest(of: path.bytes) == companion.digest else { return }
            return try store.rename(companion, to: path)
        }
        guard let now, now.kind == .file else { return }
        _ = try store.root.link(old, at: path.bytes)
        if try store.root.withdraw(old, ifPresentAnd: { $0.facts.id == now.id }) {
            try store.rename(companion, to: path)
        }
    }

    private func carry(
        _ companion: RelativePath, of raw: FileReference, _ asset: SHA256Value, _ places: CompanionPlaces
    ) throws {
        let file = FileReference(root: raw.root, path: companion)
        let names = CompanionNames.copies(of: companion, raw, asset, places)
        for name in names {
            let copy: Publication
            do {
                let digest = try places.root.digest(of: companion.bytes).digest
                copy = try store.root.publishCopy(
                    of: companion.bytes, in: places.root, digest: digest, at: name.bytes, existing: .keep)
            } catch {
                // What concerns the library's disk stops the cataloguer; what concerns this file alone does not.
                if error.kind == .diskFull || error.kind == .readOnly { throw error }
                return logKept(file, "it could not be copied: \(error.cause)")
            }
            if copy.outcome == .kept { continue }
            return try store.adoptCompanion(
                AdoptedEdit(
                    path: name, asset: asset, frame: 0, digest: copy.digest, sizeBytes: copy.sizeBytes,
                    isCompanion: true))
        }
        logKept(file, "other files have its names at \(names.map(\.description).joined(separator: " and "))")
    }

    /// Removes the companions of a RAW that was moved: those whose copies are in the library, read back from the disk.
    ///
    /// - Throws: `LibraryError`; `StorageError` if the library cannot be read.
    func remove(_ raw: FileReference, of asset: SHA256Value) throws {
        guard let places = try places(of: raw, asset), try !hasOtherRaw(raw, in: places.root, among: names) else {
            return
        }
        let root = places.root
        let copies = try store.assets.companions(of: asset)
        for companion in try companions(of: raw, in: root) {
            // Of an asset at several paths, each has companions of its own, which may be called the same.
            let names = CompanionNames.copies(of: companion, raw, asset, places)
            let stored = copies.filter { copy in
                names.contains(copy.path) && (try? store.root.storedDigest(of: copy.path.bytes)) == copy.digest
            }.map(\.digest)
            if stored.isEmpty { continue }
            let isRemoved = try root.withdraw(
                companion.bytes, ifPresentAnd: { try $0.digest().map(stored.contains) ?? false })
            let file = FileReference(root: raw.root, path: companion)
            if isRemoved {
                log.info(.originalRemoved, [.source: "\(file)", .asset: "\(asset)"])
            } else {
                logKept(file, "it changed since it was copied")
            }
        }
    }

    /// The companions of a RAW, in the order of their names.
    private func companions(of raw: FileReference, in root: Root) throws -> [RelativePath] {
        try names.files(beside: raw, in: root).filter { CompanionName.belongs($0.name, to: raw.path.name) }
    }

    /// True if the folder has another file of the RAW's base name that is none of its companions, such as another RAW.
    private func hasOtherRaw(_ raw: FileReference, in root: Root, among names: FolderNames) throws -> Bool {
        let base = CompanionName.base(of: raw.path.name)
        return try names.files(beside: raw, in: root).contains { path in
            CompanionName.base(of: path.name).elementsEqual(base)
                && !CompanionName.belongs(path.name, to: raw.path.name)
        }
    }

    private func logKept(_ file: FileReference, _ cause: String) {
        log.warning(.originalKept, [.source: "\(file)", .message: "left where it is: \(cause)"])
    }
}

/// Where a RAW's companions are, and where they go.
private struct CompanionPlaces {
    /// Of the RAW and its companions.
    let root: Root
    /// Of the RAW's copy, in the library.
    let folder: RelativePath
    /// Whether the copy is called by its hash.
    let isMarked: Bool
}

/// The names of companions' copies.
private enum CompanionNames {
    /// The names that a companion's copy accepts, the best first: its own, and `IMG_1.<hash>.JPG`, as the copy of a RAW is
    /// called whose name another has.
    static func copies(
        of companion: RelativePath, _ raw: FileReference, _ asset: SHA256Value, _ places: CompanionPlaces
    ) -> [RelativePath] {
        let names = [
            places.folder.appending(companion.name), marked(companion.name, raw, asset, in: places.folder),
        ].compactMap(\.self)
        return places.isMarked ? names.reversed() : names
    }

    /// `IMG_1.<hash>.JPG` for `IMG_1.JPG`; nil for a name that is no companion's of the RAW's name, or has the hash.
    static func marked(
        _ name: [UInt8], _ raw: FileReference, _ asset: SHA256Value, in folder: RelativePath
    ) -> RelativePath? {
        let stem = Array(CompanionName.base(of: raw.path.name))
        let mark = Array(".\(asset.description.prefix(16))".utf8)
        guard name.starts(with: stem + [UInt8(ascii: ".")]), !name.starts(with: stem + mark) else { return nil }
        return folder.appending(stem + mark + name.dropFirst(stem.count))
    }
}
