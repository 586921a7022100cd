internal import Digest
package import Jobs
package import LibraryTables
package import PhotoTree

/// Shows other renditions of many simple photos with a few statements.
///
/// A photo is simple if it is the only file in `photos/` from its RAW, the RAW has no copy there and was seen at one
/// path only, and the photo's names are uncontested. The result equals that of `LibraryStore.show`, as a property test
/// checks. `LibraryStore.show` moves all other photos afterwards. Names depend on rows and not on the order of moves,
/// so this order does not change the result; photos that share a name with one left over are left too.
package struct PlainMove {
    /// A photo, its present rendition, and the one to show.
    package struct Item {
        package let id: TreeEntryID
        package let from: RenditionKey
        package let to: RenditionKey

        package init(id: TreeEntryID, from: RenditionKey, to: RenditionKey) {
            self.id = id
            self.from = from
            self.to = to
        }
    }

    package enum Outcome {
        case moved, unchanged, left
    }

    private let store: LibraryStore
    private let precedence: Int64
    /// The highest precedence of a shown photo.
    package private(set) var highest: Int64

    // The state before the moves.
    private var shown: [SHA256Value: [TreeTable.ShownEntry]] = [:]
    private var renditions: [SHA256Value: [RenditionTable.Stored]] = [:]
    private var histories: [SHA256Value: RevisionTable.Stored] = [:]
    private var seen: [SHA256Value: [Sighting]] = [:]
    /// Assets left to `LibraryStore.show`.
    private var left: Set<SHA256Value> = []
    private var inUse = TreeTable.NamesInUse()
    /// Names that the photos already handled have, had or would accept.
    private var touched: Set<RelativePath> = []

    private var changes: [Change] = []

    private struct Change {
        let entry: TreeTable.ShownEntry
        /// The photo's new identifier.
        let id: TreeEntryID
        let key: RenditionKey
        let path: RelativePath
        let history: PhotoHistory
        let storedCount: Int
        let choice: RevisionTable.Choice
        let held: [RenditionKey]
    }

    /// - Parameter precedence: the minimum precedence of the shown photos.
    package init(_ store: LibraryStore, precedence: Int64) {
        self.store = store
        self.precedence = precedence
        highest = precedence
    }

    /// Moves photos, within a transaction. Returns the outcome for each item; nil for those left to
    /// `LibraryStore.show`.
    package mutating func move(_ items: [Item]) throws -> [Outcome?] {
        try read(items)
        let outcomes = items.map { item -> Outcome? in
            let outcome = move(item)
            if outcome == nil { left.insert(item.id.asset) }
            return outcome
        }
        try write()
        return outcomes
    }

    // MARK: Reading

    private mutating func read(_ items: [Item]) throws {
        let assets = Array(Set(items.map(\.id.asset)))
        shown = try store.tables.entries.entries(of: assets)
        renditions = try store.tables.renditions.stored(of: assets)
        histories = try store.tables.revisions.stored(of: assets)
        seen = try store.tables.sightings.all(of: assets)
        left = try store.tables.entries.assetsWithCopiesOrWishes(of: assets)
        let counts = Dictionary(items.map { ($0.id.asset, 1) }, uniquingKeysWith: +)
        left.formUnion(counts.filter { $0.value > 1 }.keys)
        inUse = try store.tables.entries.namesInUse(of: Set(items.flatMap(names)).sorted())
    }

    /// All names that the photo has, or would accept before or after its move.
    private func names(of item: Item) -> [RelativePath] {
        let asset = item.id.asset
        let records = [item.from, item.to].compactMap { record($0, of: asset) }
        return (shown[asset] ?? []).flatMap { entry -> [RelativePath] in
            let ids = [entry.id, renamed(entry, item)]
            return [entry.path] + records.flatMap { record in ids.flatMap { TreeNaming.photo(record, as: $0).names } }
        }
    }

    private func record(_ key: RenditionKey, of asset: SHA256Value) -> RenditionRecord? {
        renditions[asset]?.first { $0.record.key == key }?.record
    }

    private func renamed(_ entry: TreeTable.ShownEntry, _ item: Item) -> TreeEntryID {
        let id = entry.id
        let variant = record(item.to, of: id.asset)?.recipe.variant ?? id.variant
        return TreeEntryID(asset: id.asset, frame: id.frame, variant: variant)
    }

    // MARK: Deciding

    private mutating func move(_ item: Item) -> Outcome? {
        let names = Set(names(of: item))
        defer { touched.formUnion(names) }
        guard !left.contains(item.id.asset), touched.isDisjoint(with: names) else { return nil }
        guard let entry = shown[item.id.asset]?.first else { return .left }
        guard shown[item.id.asset]?.count == 1, entry.id.place == nil, let key = entry.key else { return nil }
        guard key == item.from else { return key == item.to ? .unchanged : .left }
        guard inUse.contested.isDisjoint(with: names), inUse.held.intersection(names) == [entry.path],
            let change = change(entry, item)
        else { return nil }
        changes.append(change)
        highest = max(highest, change.choice.precedence)
        return .moved
    }

    /// - Returns: nil if the photo is not simple.
    private func change(_ entry: TreeTable.ShownEntry, _ item: Item) -> Change? {
        let (id, asset) = (entry.id, entry.id.asset)
        let known = histories[asset] ?? RevisionTable.Stored()
        let all = renditions[asset] ?? []
        guard known.isOnly(of: id), let record = record(item.to, of: asset), record.frame == id.frame,
            (seen[asset] ?? []).allSatisfy({ $0.raw.file == record.original.file }),
            let current = all.first(where: { $0.record.key == item.from }),
            let path = TreeNaming.photo(record, as: renamed(entry, item)).names.first
        else { return nil }
        let ordered = all.filter { !$0.isHeld && $0.record.frame == id.frame && $0.record.recipe.variant == id.variant }
            .map(\.record.key)
        let choice = known.choices[id]
        let stored = known.revisions[id] ?? []
        guard
            var history = PhotoHistory(
                stored: stored, chosen: choice?.number, ordered: ordered, shown: item.from)
        else { return nil }
        history.show(key: item.to)
        var precedence = current.finished
        if let choice, choice.key == item.from, current.isHeld || choice.precedence > current.finished {
            precedence = choice.precedence
        }
        let renamed = renamed(entry, item)
        return Change(
            entry: entry, id: renamed, key: item.to, path: path, history: history, storedCount: stored.count,
            choice: .init(number: history.current, key: item.to, precedence: max(self.precedence, precedence + 1)),
            held: renamed == id ? [] : ordered)
    }

    // MARK: Writing

    private func write() throws {
        try store.tables.revisions.rename(changes.filter { $0.entry.id != $0.id }.map { ($0.entry.id, $0.id.variant) })
        try store.tables.revisions.insert(
            changes.flatMap { change in change.history.revisions.dropFirst(change.storedCount).map { (change.id, $0) } }
        )
        try store.tables.revisions.choose(changes.map { ($0.id, $0.choice) })
        try store.tables.renditions.hold(
            changes.flatMap { change in change.held.map { RenditionID(asset: change.id.asset, key: $0) } })
        try store.tables.entries.change(changes.map { ($0.entry.id, $0.id.variant, $0.key, $0.path) })
        try store.tables.pendingLinks.insert(Set(changes.flatMap { [$0.entry.path, $0.path] }).sorted())
    }
}
