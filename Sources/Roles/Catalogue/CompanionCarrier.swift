internal import Digest
internal import Jobs
internal import LibraryTables
internal import PhotoTree
internal import Selection
internal import Storage
internal import Telemetry

/// Copies a RAW's companions to its copy: sidecars, the camera's JPEG, sound and video of the same shot.
///
/// Companions are users' files: their copies in `photos/` are verified by hash, recorded as users' files, never
/// replaced, and have no object. If another card's IMG_1 has the name, the RAW's copy is named by its hash, and so are
/// its companions, including earlier ones. When a RAW is moved, each companion is removed once it is copied, unless
/// another RAW of the folder has the same name and may need it.
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

    /// Copies a RAW's companions within the transaction that merges its copy. It is idempotent. A companion that cannot
    /// be copied stays and is logged.
    func carry(_ raw: FileReference, of asset: SHA256Value) throws {
        guard raw.root != .library, let places = try places(of: raw, asset) else { return }
        try followDisplaced(by: raw, in: places.folder)
        for companion in (try? companions(of: raw, in: places.root)) ?? [] {
            try carry(companion, of: raw, asset, places)
        }
    }

    /// Copies companions without copies, in a transaction, before the RAW is removed: its root may have been unmounted
    /// when its copy was merged.
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

    /// Renames the companions of RAWs whose name this one took, unless a RAW beside them may need them.
    private func followDisplaced(by raw: FileReference, in folder: RelativePath) throws {
        guard let name = folder.appending(raw.path.name) else { return }
        let displaced = try store.assets.originalsDisplaced(from: name)
        // Rare, and must see files just created: read the folder afresh.
        let file = FileReference(root: .library, path: name)
        if try displaced.isEmpty || hasOtherRaw(file, in: store.root, among: FolderNames()) { return }
        for asset in displaced {
            for companion in try store.assets.companions(of: asset) where companion.path.folder == folder {
                guard let marked = CompanionNames.marked(companion.path.name, raw, asset, in: folder) else { continue }
                do { try rename(companion, to: marked) } catch let error as StorageError {
                    if error.kind == .diskFull || error.kind == .readOnly { throw error }
                    let file = FileReference(root: .library, path: companion.path)
                    logKept(file, "it could not be renamed like its RAW: \(error.cause)")
                }
            }
        }
    }

    /// Renames a companion as it is now, unless another file has the name. Safe to repeat after any step.
    private func rename(_ companion: AdoptedEdit, to path: RelativePath) throws {
        let old = companion.path.bytes
        let now = try store.root.factsIfPresent(of: old)
        if let there = try store.root.factsIfPresent(of: path.bytes), there.id != now?.id {
            // A killed process got this far: the old name is free, or already the other RAW's.
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
                // Errors of the library's disk stop the cataloguer; errors of this file do not.
                if error.kind == .diskFull || error.kind == .readOnly { throw error }
                return logKept(file, "it could not be copied: \(error.cause)")
            }
            if copy.outcome == .kept { continue }
            return try store.adoptCompanion(
                AdoptedEdit(
                    path: name, asset: asset, frame: 0, digest: copy.digest, sizeBytes: copy.sizeBytes,
                    isCompanion: true))
        }
        logKept(file, "other files are at \(names.map(\.description).joined(separator: " and "))")
    }

    /// Removes the companions of a moved RAW whose copies are in the library, verified by reading them back from the
    /// disk.
    func remove(_ raw: FileReference, of asset: SHA256Value) throws {
        guard let places = try places(of: raw, asset), try !hasOtherRaw(raw, in: places.root, among: names) else {
            return
        }
        let root = places.root
        let copies = try store.assets.companions(of: asset)
        for companion in try companions(of: raw, in: root) {
            // An asset at several paths has companions at each, which may have the same names.
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

    private func companions(of raw: FileReference, in root: Root) throws -> [RelativePath] {
        try names.files(beside: raw, in: root).filter { CompanionName.belongs($0.name, to: raw.path.name) }
    }

    /// Whether the folder has another file with the RAW's base name that is not its companion, such as another RAW.
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

private struct CompanionPlaces {
    let root: Root
    let folder: RelativePath
    /// Whether the copy is named by its hash.
    let isMarked: Bool
}

private enum CompanionNames {
    /// Acceptable names of a companion's copy, the best first: its own, and `IMG_1.<hash>.JPG`, like the copy of a RAW
    /// whose name is taken.
    static func copies(
        of companion: RelativePath, _ raw: FileReference, _ asset: SHA256Value, _ places: CompanionPlaces
    ) -> [RelativePath] {
        let names = [
            places.folder.appending(companion.name), marked(companion.name, raw, asset, in: places.folder),
        ].compactMap(\.self)
        return places.isMarked ? names.reversed() : names
    }

    /// `IMG_1.<hash>.JPG` for `IMG_1.JPG`; nil if the name is not a companion's, or already has the hash.
    static func marked(
        _ name: [UInt8], _ raw: FileReference, _ asset: SHA256Value, in folder: RelativePath
    ) -> RelativePath? {
        let stem = Array(CompanionName.base(of: raw.path.name))
        let mark = Array(".\(asset.description.prefix(16))".utf8)
        guard name.starts(with: stem + [UInt8(ascii: ".")]), !name.starts(with: stem + mark) else { return nil }
        return folder.appending(stem + mark + name.dropFirst(stem.count))
    }
}
