public import Digest
internal import Jobs
public import LibraryTables
internal import Manifests
internal import Storage

/// A rendition to merge in a batch, and the path at which its RAW was seen.
public struct PlainMergeItem {
    /// The rendition.
    public let record: RenditionRecord
    /// The precedence of its order.
    public let finished: Int64
    /// The path at which its RAW was seen.
    public let sighting: Sighting

    /// Creates an item.
    public init(record: RenditionRecord, finished: Int64, sighting: Sighting) {
        self.record = record
        self.finished = finished
        self.sighting = sighting
    }
}

/// One entry of a batch to merge.
public enum PlainMergeCandidate {
    case item(PlainMergeItem)
    /// An entry of this asset that needs a separate merge, before later entries of the asset.
    case other(SHA256Value)
    /// An entry that does not affect later ones.
    case none
}

/// Merges many simple renditions with a few statements: reads all relevant rows at once and writes all changes at once.
///
/// A rendition is simple if it is new or unchanged, its RAW was seen at one path only, and its photo gets an
/// uncontested name, replaces its look's photo, or is older than the shown one. The result equals that of
/// `RenditionMerger`, as a property test checks. `RenditionMerger` merges all other renditions afterwards. Decisions
/// depend on rows and not on arrival, so this order does not change the result; once an asset is left over, its later
/// entries are too.
struct PlainMerge {
    private let root: Root
    private let renditions: RenditionTable
    private let entries: TreeTable
    private let sightings: SightingTable
    private let removed: RemovedTable
    private let pending: PendingLinkTable
    private let links: LinkUpdater

    // The state before this merge, and what the merge adds to it.
    private var summaries: [RenditionKey: RenditionTable.Summary] = [:]
    private var shown: [SHA256Value: [TreeTable.ShownEntry]] = [:]
    private var seen: [SHA256Value: [Sighting]] = [:]
    /// Assets left to `RenditionMerger`.
    private var left: Set<SHA256Value> = []
    private var names = TreeTable.NamesInUse()
    /// In bytes, of existing photos.
    private var photoSizes: [RenditionKey: UInt64] = [:]

    // Rows to write.
    private var newRenditions: [(record: RenditionRecord, finished: Int64)] = []
    private var newEntries: [(id: TreeEntryID, key: RenditionKey, path: RelativePath)] = []
    /// For existing files.
    private var newKeys: [TreeEntryID: RenditionKey] = [:]
    private var newSightings: [(asset: SHA256Value, sighting: Sighting)] = []
    private var changes: [RelativePath: PendingLink] = [:]

    init(root: Root, _ tables: LibraryTables, links: LinkUpdater) {
        self.root = root
        self.links = links
        renditions = tables.renditions
        entries = tables.entries
        sightings = tables.sightings
        removed = tables.removed
        pending = tables.pendingLinks
    }

    /// - Returns: the result for each candidate; nil for those left to `RenditionMerger`.
    mutating func merge(_ candidates: [PlainMergeCandidate]) throws -> [RenditionMergeResult?] {
        let claims = candidates.map { candidate in
            if case .item(let item) = candidate { TreeNaming.photo(item.record) } else { nil as TreeClaim? }
        }
        try read(candidates, names: claims.compactMap { $0?.names.first })
        let results = zip(candidates, claims).map { candidate, claim -> RenditionMergeResult? in
            switch candidate {
            case .none: return nil
            case .other(let asset):
                left.insert(asset)
                return nil
            case .item(let item):
                let result = claim.flatMap { merge(item, $0) }
                if result == nil { left.insert(item.record.asset) }
                return result
            }
        }
        try write()
        return results
    }

    // MARK: Reading

    private mutating func read(_ candidates: [PlainMergeCandidate], names wanted: [RelativePath]) throws {
        let records = candidates.compactMap { candidate in
            if case .item(let item) = candidate { item.record } else { nil }
        }
        // Runs while the database answers.
        let sizes = PhotoSizes(of: records, in: root)
        // Most assets are new and have no rows.
        let assets = try renditions.known(Set(records.map(\.asset)))
        let known = Set(assets)
        summaries = try renditions.summaries(Array(Set(records.lazy.filter { known.contains($0.asset) }.map(\.id))))
        shown = try entries.entries(of: assets)
        seen = try sightings.all(of: assets)
        left = try entries.assetsWithMore(of: assets)
        names = try entries.namesInUse(of: Set(wanted).sorted())
        photoSizes = try sizes.found()
    }

    // MARK: Deciding

    private mutating func merge(_ item: PlainMergeItem, _ claim: TreeClaim) -> RenditionMergeResult? {
        let record = item.record
        guard !left.contains(record.asset), isOnlyPath(item),
            (shown[record.asset] ?? []).allSatisfy({ $0.id.place == nil && $0.key != nil })
        else { return nil }
        guard let known = summaries[record.key] else { return add(item, claim) }
        return repeated(item, known, claim.id)
    }

    /// True if the RAW was seen only at the path that the rendition names.
    private func isOnlyPath(_ item: PlainMergeItem) -> Bool {
        guard item.sighting.raw.file == item.record.original.file else { return false }
        guard let seen = seen[item.record.asset] else { return shown[item.record.asset] == nil }
        return seen == [item.sighting]
    }

    /// Handles a rendition that the library has. As in `RenditionMerger`, everything but its order is compared with the
    /// row.
    private func repeated(
        _ item: PlainMergeItem, _ known: RenditionTable.Summary, _ id: TreeEntryID
    ) -> RenditionMergeResult? {
        let record = item.record
        guard known.photoDigest == record.photo.digest.bytes, !known.isHeld, item.finished <= known.finished,
            record.preview.map({ $0.digest.bytes == known.previewDigest }) ?? true, seen[record.asset] != nil,
            let current = current(of: id), photoSizes[record.key] != nil
        else { return nil }
        let isCurrent = current.key == record.key
        guard isCurrent || !Self.isNewer(record, known.finished, than: current) else { return nil }
        return RenditionMergeResult(key: record.key, change: .none, isCurrent: isCurrent)
    }

    private mutating func add(_ item: PlainMergeItem, _ claim: TreeClaim) -> RenditionMergeResult? {
        let record = item.record
        let finished = max(0, item.finished)
        guard let name = claim.names.first, !names.contested.contains(name) else { return nil }
        let current = current(of: claim.id)
        let isCurrent = current.map { Self.isNewer(record, finished, than: $0) } ?? true
        if isCurrent {
            guard current.map({ $0.path == name }) ?? !names.held.contains(name) else { return nil }
        }
        guard photoSizes[record.key] == record.photo.sizeBytes else { return nil }
        if isCurrent { show(record, finished, claim.id, at: name, instead: current) }
        newRenditions.append((record, finished))
        summaries[record.key] = RenditionTable.Summary(
            photoDigest: record.photo.digest.bytes, previewDigest: record.preview?.digest.bytes ?? [],
            finished: finished, isHeld: false)
        if seen[record.asset] == nil {
            seen[record.asset] = [item.sighting]
            newSightings.append((record.asset, item.sighting))
        }
        return RenditionMergeResult(key: record.key, change: .added, isCurrent: isCurrent)
    }

    private mutating func show(
        _ record: RenditionRecord, _ finished: Int64, _ id: TreeEntryID, at name: RelativePath,
        instead current: TreeTable.ShownEntry?
    ) {
        shown[record.asset, default: []].removeAll { $0.id == id }
        shown[record.asset, default: []].append(.init(id: id, key: record.key, finished: finished, path: name))
        names.held.insert(name)
        changes[name] = PendingLink(
            path: name, object: LibraryLayout.photo(record.key), digest: record.photo.digest, isRaw: false)
        if current == nil {
            newEntries.append((id, record.key, name))
        } else {
            newKeys[id] = record.key
        }
    }

    private func current(of id: TreeEntryID) -> TreeTable.ShownEntry? { shown[id.asset]?.first { $0.id == id } }

    private static func isNewer(
        _ record: RenditionRecord, _ finished: Int64, than current: TreeTable.ShownEntry
    ) -> Bool {
        guard let key = current.key else { return false }
        return (finished, record.key.digest) > (current.finished, key.digest)
    }

    /// The files of all candidates' assets after the merge.
    var shownPhotos: ShownPhotos { ShownPhotos(shown, changes: changes) }

    // MARK: Writing

    private func write() throws {
        let names = changes.keys.sorted()
        links.prepare(names.compactMap { changes[$0] })
        try renditions.insert(newRenditions)
        try removed.forget(newRenditions.map(\.record.key))
        // Sorted, because the keys are spread over the whole table.
        try entries.insert(newEntries.sorted { $0.id < $1.id })
        try entries.setKeys(newKeys)
        try sightings.insert(newSightings.sorted { $0.asset < $1.asset })
        try pending.insert(names)
    }
}
