internal import Digest
internal import Jobs
internal import Library
internal import Manifests
internal import Storage
internal import Telemetry

/// Removes sources that were moved into the library: the last step of `--originals move`, and the only place where
/// Rawmill removes a file that is not its own.
struct SourceRemover {
    private let store: LibraryStore
    private let roots: Roots
    private let log: Logger

    init(store: LibraryStore, roots: Roots, log: Logger) {
        self.store = store
        self.roots = roots
        self.log = log
    }

    /// Removes the source if it is still the file that was planned, and its verified copy is in the library.
    ///
    /// - Returns: true if nothing is left to do; false if the note has to stay for a later start.
    /// - Throws: `LibraryError`, `StorageError` if the library's own files cannot be read.
    func remove(_ removal: SourceRemoval) throws -> Bool {
        let source = removal.source
        guard let root = roots[source.file.root.text] else { return postpone(removal, "its root is not known here") }
        guard let copy = try store.assets.originalCopy(of: removal.asset),
            let kept = try store.root.factsIfPresent(of: copy.path.bytes), kept.sizeBytes == source.sizeBytes
        else { return postpone(removal, "its copy is not in the library") }
        do {
            guard let facts = try root.factsIfPresent(of: source.file.path.bytes) else { return true }
            guard facts.sizeBytes == source.sizeBytes, facts.modifiedNanoseconds == source.modifiedNanoseconds else {
                return abandon(removal, "it changed since it was read")
            }
            guard try !isLibraryFile(facts, copy: kept, asset: removal.asset) else {
                return abandon(removal, "it is the library's own file")
            }
            try root.remove(source.file.path.bytes)
        } catch {
            return postpone(removal, error.cause)
        }
        log.info(.originalRemoved, [.source: "\(source.file)", .asset: "\(removal.asset)"])
        return true
    }

    /// True if the source is the library's copy under another name. A root may contain the library, or the other way
    /// round.
    private func isLibraryFile(
        _ facts: FileFacts, copy: FileFacts, asset: SHA256Value
    ) throws(StorageError) -> Bool {
        if facts.isSameFile(as: copy) { return true }
        guard let path = try? store.assets.originalCopyPath(of: asset),
            let shown = try store.root.factsIfPresent(of: path.bytes)
        else { return false }
        return facts.isSameFile(as: shown)
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

extension FileFacts {
    fileprivate func isSameFile(as other: FileFacts) -> Bool { id == other.id }
}

extension SourceRemoval {
    /// Nil unless the manifest's source was to be moved, and every frame states that its copy is in the library. A RAW of
    /// which a frame could not be rendered stays where it is.
    init?(_ manifest: Manifest) {
        guard manifest.originals == .move, manifest.source.raw.file.root != .library,
            case .completed(let renditions) = manifest.outcome, renditions.isWhole,
            let asset = renditions.first?.asset,
            renditions.allSatisfy({ $0.asset == asset && $0.originalCopy?.digest == asset })
        else { return nil }
        self.init(source: manifest.source.raw, asset: asset)
    }
}
