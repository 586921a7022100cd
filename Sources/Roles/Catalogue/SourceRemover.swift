internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Selection
internal import Storage
internal import Telemetry

/// Removes sources that were moved into the library: the last step of `--originals move`, and the only place where
/// Rawmill removes a file that is not its own.
struct SourceRemover {
    private let store: LibraryStore
    private let roots: Roots
    private let carrier: CompanionCarrier
    private let log: Logger

    init(store: LibraryStore, roots: Roots, carrier: CompanionCarrier, log: Logger) {
        self.carrier = carrier
        self.store = store
        self.roots = roots
        self.log = log
    }

    /// Removes the source if all conditions hold now: the library knows its path, and both the copy, read back from the
    /// disk, and the source, read again, have the asset's bytes. Returns false to retry later.
    func remove(_ removal: SourceRemoval) throws -> Bool {
        let source = removal.source
        guard let root = roots.mounted(source.file.root.text) else {
            return postpone(removal, "its root is not configured here")
        }
        guard let copy = try store.assets.originalCopy(of: removal.asset),
            let kept = try store.root.factsIfPresent(of: copy.path.bytes), kept.sizeBytes == source.sizeBytes
        else { return postpone(removal, "its copy is not in the library") }
        guard try store.hasSighting(of: removal.asset, at: source.file) else {
            return postpone(removal, "the library does not know its path")
        }
        let path = source.file.path
        do {
            // A killed attempt may have set it aside in its folder.
            guard try root.factsIfPresent(of: path.folder?.bytes ?? [])?.kind == .folder else {
                // An unmounted folder is empty.
                return try root.hasEntries() || postpone(removal, "its root is empty: is its storage mounted?")
            }
            guard try store.root.storedDigest(of: copy.path.bytes) == removal.asset else {
                return postpone(removal, "its copy in the library is damaged; run `rawmill library verify`")
            }
            try carrier.carryMissing(source.file, of: removal.asset)
            var reason = "it changed while it was removed"
            let isRemoved = try root.withdraw(
                path.bytes,
                ifPresentAnd: { found in
                    if let refusal = try refusal(found, removal, copy: kept) { reason = refusal } else { return true }
                    return false
                })
            guard isRemoved else { return abandon(removal, reason) }
            try carrier.remove(source.file, of: removal.asset)
        } catch let error as StorageError {
            return postpone(removal, error.cause)
        }
        log.info(.originalRemoved, [.source: "\(source.file)", .asset: "\(removal.asset)"])
        return true
    }

    /// Why a file must not be removed; nil if it is the source, byte for byte.
    private func refusal(_ found: FoundFile, _ removal: SourceRemoval, copy: FileFacts) throws -> String? {
        let source = removal.source
        guard found.facts.sizeBytes == source.sizeBytes,
            found.facts.modifiedNanoseconds == source.modifiedNanoseconds
        else { return "it changed since it was read" }
        if try isLibraryFile(found.facts, copy: copy, asset: removal.asset) { return "it is the library's own file" }
        return try found.digest() == removal.asset ? nil : "its bytes are not those of the copy in the library"
    }

    /// Whether the source is the library's copy under another name: a root may contain the library, or vice versa.
    private func isLibraryFile(_ facts: FileFacts, copy: FileFacts, asset: SHA256Value) throws -> Bool {
        if facts.id == copy.id { return true }
        return try store.assets.originalCopyPaths(of: asset).contains { path in
            try store.root.found(at: path.bytes)?.facts.id == facts.id
        }
    }

    private func postpone(_ removal: SourceRemoval, _ cause: String) -> Bool {
        log.warning(.originalKept, [.source: "\(removal.source.file)", .message: "not removed yet: \(cause)"])
        return false
    }

    private func abandon(_ removal: SourceRemoval, _ cause: String) -> Bool {
        log.warning(.originalKept, [.source: "\(removal.source.file)", .message: "left where it is: \(cause)"])
        return true
    }
}

extension SourceRemoval {
    /// Nil unless the source is to be moved and every frame's copy is in the library. A RAW with a failed frame stays.
    init?(_ manifest: Manifest) {
        guard manifest.originals == .move, manifest.source.raw.file.root != .library,
            case .completed(let renditions) = manifest.outcome, renditions.isWhole,
            let asset = renditions.first?.asset,
            renditions.allSatisfy({ $0.asset == asset && $0.originalCopy?.digest == asset })
        else { return nil }
        self.init(source: manifest.source.raw, asset: asset)
    }
}
