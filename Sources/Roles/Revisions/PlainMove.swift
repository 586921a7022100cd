internal import Digest
package import Jobs
package import LibraryTables
package import PhotoTree

/// Shows other renditions of many photos with a few statements, where it is plain what that changes.
///
/// Plain is a photo that is all that `photos/` has of its RAW, without a copy of that, whose RAW was seen at one path, and whose
/// names nobody else has or wants. Its move does then what `LibraryStore.show` does, which a property test compares. Everything
/// else is left to that one, after these. Names are given by the rows and not by the order, so that it makes no difference that
/// it comes later; nothing overtakes what it shares a name with.
package struct PlainMove {
    /// A photo, the rendition that it is moved from, and the one that it is to show.
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

    /// What became of a photo.
    package enum Outcome {
        case moved, unchanged, left
    }

    private let store: LibraryStore
    private let precedence: Int64
    /// The highest precedence by which a photo is shown now.
    package private(set) var highest: Int64

    // What is there.
    private var shown: [SHA256Value: [TreeTable.ShownEntry]] = [:]
    private var renditions: [SHA256Value: [RenditionTable.Stored]] = [:]
    private var histories: [SHA256Value: RevisionTable.Stored] = [:]
    private var seen: [SHA256Value: [Sighting]] = [:]
    /// Assets that are left.
    private var left: Set<SHA256Value> = []
    private var inUse = TreeTable.NamesInUse()
    /// Names that photos have, had or would accept whose turn is over.
    private var touched: Set<RelativePath> = []

    private var changes: [Change] = []

    /// What is to be written of a photo.
    private struct Change {
        let entry: TreeTable.ShownEntry
        /// What it is named now.
        let id: TreeEntryID
        let key: RenditionKey
        let path: RelativePath
        let history: PhotoHistory
        let storedCount: Int
        let choice: RevisionTable.Choice
        /// Renditions to hold.
        let held: [RenditionKey]
    }

    /// - Parameter precedence: by which photos are shown, if they are not shown by a higher one.
    package init(_ store: LibraryStore, precedence: Int64) {
        self.store = store
        self.precedence = precedence
        highest = precedence
    }

    /// Moves photos, within a transaction.
    ///
    /// - Returns: for each what became of it; nil where it has to be moved by itself, after these.
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

    /// The file as it is named after the move.
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

    /// Nil where it is not plain.
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
