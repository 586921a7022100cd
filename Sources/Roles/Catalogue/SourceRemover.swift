internal import Digest
internal import Jobs
internal import Library
internal import Manifests
internal import Storage
internal import Telemetry

/// Removes sources that were moved into the library: the last step of `--originals move`, and the only place where
/// Rawmill removes a file that is not its own.
struct SourceRemover {
    let store: LibraryStore
    let roots: Roots
    let log: Logger

    /// Removes the source if it is still the file that was planned, and its verified copy stands in the library.
    ///
    /// - Returns: true where nothing is left to do; false where the note has to stay for a later start.
    /// - Throws: where the library's own files cannot be read.
    func remove(_ removal: SourceRemoval) throws -> Bool {
        let source = removal.source
        guard let root = roots[source.file.root.text] else { return keep(removal, "its root is not known here") }
        guard let copy = try store.originalCopy(of: removal.asset),
            let kept = try store.root.factsIfPresent(of: copy.path.bytes), kept.sizeBytes == source.sizeBytes
        else { return keep(removal, "its copy is not in the library") }
        do {
            guard let facts = try root.factsIfPresent(of: source.file.path.bytes) else { return true }
            guard facts.sizeBytes == source.sizeBytes, facts.modifiedNanoseconds == source.modifiedNanoseconds else {
                return leave(removal, "it changed since it was read")
            }
            guard try !isLibrarysOwn(facts, copy: kept, asset: removal.asset) else {
                return leave(removal, "it is the library's own file")
            }
            try root.remove(source.file.path.bytes)
        } catch {
            return keep(removal, error.cause)
        }
        log.info(.originalRemoved, [.source: "\(source.file)", .asset: "\(removal.asset)"])
        return true
    }

    /// A root may contain the library, or the other way round: then the source can be the copy under another name.
    private func isLibrarysOwn(
        _ facts: FileFacts, copy: FileFacts, asset: SHA256Value
    ) throws(StorageError) -> Bool {
        if facts.isSameFile(as: copy) { return true }
        guard let path = try? store.originalPath(of: asset),
            let shown = try store.root.factsIfPresent(of: path.bytes)
        else { return false }
        return facts.isSameFile(as: shown)
    }

    private func keep(_ removal: SourceRemoval, _ why: String) -> Bool {
        log.warning(.originalKept, [.source: "\(removal.source.file)", .message: "not removed yet: \(why)"])
        return false
    }

    private func leave(_ removal: SourceRemoval, _ why: String) -> Bool {
        log.warning(.originalKept, [.source: "\(removal.source.file)", .message: "left where it is: \(why)"])
        return true
    }
}

extension FileFacts {
    fileprivate func isSameFile(as other: FileFacts) -> Bool { device == other.device && inode == other.inode }
}

extension SourceRemoval {
    /// Nil unless the manifest's source was to be moved, and every frame says that its copy stands in the library.
    init?(_ manifest: Manifest) {
        guard manifest.originals == .move, manifest.source.raw.file.root != .library,
            case .completed(let renditions) = manifest.outcome, let asset = renditions.first?.asset,
            renditions.allSatisfy({ $0.asset == asset && $0.originalCopy?.digest == asset })
        else { return nil }
        self.init(source: manifest.source.raw, asset: asset)
    }
}
