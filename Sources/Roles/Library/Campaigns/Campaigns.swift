public import Digest
public import Jobs
internal import Manifests
public import Storage

/// Campaigns of a library: parts of it that are developed anew, all of whose photos are then shown in one step, and taken back in
/// one step.
///
/// Planning and rendering leave the library as it is: what a campaign renders is held, see `Job.isHeld`. Only `show`, `rollBack`
/// and `free` write to it.
public final class Campaigns {
    private let store: LibraryStore
    private let table: CampaignTable

    /// Opens a library's campaigns.
    ///
    /// - Parameter mode: of the library; `write` for `show`, `rollBack` and `free`.
    /// - Throws: `LibraryError`.
    public convenience init(library folder: String, mode: LibraryStore.Mode = .read) throws {
        try self.init(store: LibraryStore(folder: folder, mode: mode))
    }

    init(store: LibraryStore) throws {
        self.store = store
        table = try CampaignTable(library: store.folder)
    }

    private static let pageSize = 2000

    // MARK: Reading

    /// All of them, the oldest first.
    ///
    /// - Throws: `LibraryError`.
    public func all() throws -> [Campaign] { try table.all() }

    /// The campaign of a name.
    ///
    /// - Throws: `CampaignError.unknown`, `LibraryError`.
    public func campaign(_ name: String) throws -> Campaign {
        let all = try all()
        guard let found = all.first(where: { $0.name == name }) else {
            throw CampaignError.unknown(name, known: all.map(\.name))
        }
        return found
    }

    /// How far a campaign is.
    public struct Progress: Hashable, Sendable {
        /// Photos that it is about.
        public internal(set) var photos = 0
        /// Those of them whose new rendition the library has.
        public internal(set) var rendered = 0
        /// Those of them that show it.
        public internal(set) var shown = 0
        /// Bytes of the renditions that it made.
        public internal(set) var bytes: UInt64 = 0
    }

    /// Counts a campaign's photos.
    ///
    /// - Throws: `LibraryError`.
    public func progress(of campaign: Campaign) throws -> Progress {
        var progress = Progress()
        try each(campaign) { item in
            progress.photos += 1
            guard let record = try store.renditions.record(item.new) else { return }
            progress.rendered += 1
            progress.bytes += record.photo.sizeBytes + (record.preview?.sizeBytes ?? 0)
            if try file(of: item, showing: item.new) != nil { progress.shown += 1 }
        }
        return progress
    }

    /// Photos that are not rendered yet, and every path of each RAW, after one; empty at the end.
    ///
    /// - Throws: `LibraryError`.
    public func missing(
        in campaign: Campaign, after last: CampaignItem?, limit: Int
    ) throws -> [(item: CampaignItem, raws: [FileReference])] {
        var found: [(CampaignItem, [FileReference])] = []
        var last = last
        while found.count < limit {
            let page = try table.items(of: campaign, after: last, limit: limit)
            guard let end = page.last else { break }
            last = end
            for item in page where found.count < limit {
                if try store.renditions.contains(item.new) { continue }
                found.append((item, try store.raws(of: item.asset, rendition: item.old)))
            }
            if found.count == limit { break }
        }
        return found
    }

    /// Photos spread over a campaign.
    ///
    /// - Throws: `LibraryError`.
    public func sample(_ count: Int, of campaign: Campaign) throws -> [(item: CampaignItem, raws: [FileReference])] {
        let total = try table.count(of: campaign.number)
        var chosen: [(CampaignItem, [FileReference])] = []
        var index = 0
        try each(campaign) { item in
            // The n-th of so many is at n ⋅ total / count.
            if chosen.count < count, index * count >= chosen.count * total {
                chosen.append((item, try store.raws(of: item.asset, rendition: item.old)))
            }
            index += 1
        }
        return chosen
    }

    /// Where `photos/` shows a photo; nil if it does not any more.
    ///
    /// - Throws: `LibraryError`.
    public func path(of item: CampaignItem) throws -> RelativePath? {
        try (file(of: item, showing: item.old) ?? file(of: item, showing: item.new)).flatMap {
            try store.tree.current($0)?.path
        }
    }

    /// The file that shows one of a photo's renditions; its variant changes with its look.
    private func file(of item: CampaignItem, showing key: RenditionKey) throws -> TreeEntryID? {
        let files = try store.tree.photos(of: item.asset).filter { $0.key == key }.map(\.id)
        return files.contains(item.id) ? item.id : files.first
    }

    private func each(_ campaign: Campaign, _ body: (CampaignItem) throws -> Void) throws {
        var last: CampaignItem?
        while case let page = try table.items(of: campaign, after: last, limit: Self.pageSize), let end = page.last {
            for item in page { try body(item) }
            last = end
        }
    }

    // MARK: Planning

    /// The recipes of the photos that a selection holds.
    ///
    /// - Throws: `LibraryError`.
    public func recipes(of selection: Selection?) throws -> [RecipeRecord] {
        var seen: Set<SHA256Value> = []
        var recipes: [RecipeRecord] = []
        try store.photos.eachRendition(selection) { id, key, recipe, _, _ in
            guard seen.insert(recipe).inserted, let record = try store.renditions.record(key) else { return }
            recipes.append(record.recipe)
        }
        return recipes
    }

    /// What a plan holds.
    public struct Plan: Hashable, Sendable {
        /// Photos that the selection holds.
        public internal(set) var selected = 0
        /// Of these, those that have the recipe and the engine already.
        public internal(set) var upToDate = 0
        /// Of these, those whose edit this Rawmill does not know. They stay as they are.
        public internal(set) var final = 0
        /// Of the others, those whose new rendition the library has already.
        public internal(set) var rendered = 0
        /// Bytes of the renditions that the others show now: about what the new ones need besides.
        public internal(set) var bytes: UInt64 = 0
        /// Photos to render, by camera.
        public internal(set) var cameras: [String: Int] = [:]

        /// Photos that the campaign is about.
        public var photos: Int { selected - upToDate - final }
    }

    /// Plans a campaign: notes which photos it is about, and what they become. Renders nothing.
    ///
    /// - Parameters:
    ///   - selection: nil for all photos.
    ///   - changes: the options of the picture, for people.
    ///   - targets: the new recipes by the old ones' digests; photos with others stay as they are.
    ///   - isDryRun: keeps nothing.
    /// - Throws: `CampaignError`, `LibraryError`.
    public func plan(
        _ name: String, _ selection: Selection?, changes: String, targets: [SHA256Value: Recipe], isDryRun: Bool = false
    ) throws -> Plan {
        guard (1...100).contains(name.count), !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw CampaignError.name(name) }
        if try all().contains(where: { $0.name == name }) { throw CampaignError.exists(name) }
        if isDryRun {
            return try walk(selection, targets) { _, _, _ in }
        }
        return try table.transaction {
            let number = try table.insert(name, selection: selection?.text ?? "", changes: changes)
            var numbers: [SHA256Value: Int64] = [:]
            for target in Set(targets.values) { numbers[target.id] = try table.insertTarget(target, of: number) }
            return try walk(selection, targets) { id, old, target in
                try table.insert(id, old: old, target: numbers[target.id] ?? 0, of: number)
            }
        }
    }

    private func walk(
        _ selection: Selection?, _ targets: [SHA256Value: Recipe],
        _ body: (TreeEntryID, RenditionKey, Recipe) throws -> Void
    ) throws -> Plan {
        var plan = Plan()
        let ids = targets.mapValues(\.id)
        try store.photos.eachRendition(selection) { id, key, recipe, engine, facts in
            plan.selected += 1
            guard let target = targets[recipe], let targetID = ids[recipe] else {
                plan.final += 1
                return
            }
            if targetID == recipe, engine >= Engine.version {
                plan.upToDate += 1
                return
            }
            let new = RenditionKey(
                asset: id.asset, frame: id.frame, recipe: targetID, engine: Engine.version, format: target.format)
            if try store.renditions.contains(new) {
                plan.rendered += 1
            } else {
                plan.bytes += facts.sizeBytes
                plan.cameras[facts.camera, default: 0] += 1
            }
            try body(id, key, target)
        }
        return plan
    }

    /// Notes how long the photos of a canary took.
    ///
    /// - Throws: `LibraryError`.
    public func measured(_ campaign: Campaign, photos: Int, time: Duration) throws {
        let (seconds, attoseconds) = time.components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        try table.setCanary(photos: photos, milliseconds: milliseconds, of: campaign.number)
    }

    // MARK: Showing

    /// What became of a campaign's photos.
    public struct Report: Hashable, Sendable {
        /// Photos that show something else now.
        public internal(set) var moved = 0
        /// Photos that showed it already.
        public internal(set) var unchanged = 0
        /// Photos that people changed since, or took away. They stay as they are.
        public internal(set) var left = 0
        /// Photos that are not rendered.
        public internal(set) var missing = 0
    }

    /// Shows what a campaign made, all in one step.
    ///
    /// - Parameter isPartial: also if not all of it is rendered.
    /// - Throws: `CampaignError`, `LibraryError`.
    public func show(_ campaign: Campaign, isPartial: Bool = false) throws -> Report {
        if campaign.state == .ended { throw CampaignError.state(campaign.name, campaign.state) }
        let report = try move(campaign, isPartial: isPartial) { ($0.old, $0.new) }
        try table.set(.switched, of: campaign.number)
        return report
    }

    /// Shows again what was shown when a campaign was planned, all in one step.
    ///
    /// - Throws: `CampaignError`, `LibraryError`.
    public func rollBack(_ campaign: Campaign) throws -> Report {
        if campaign.state == .ended || campaign.state == .planned {
            throw CampaignError.state(campaign.name, campaign.state)
        }
        let report = try move(campaign, isPartial: true) { ($0.new, $0.old) }
        try table.set(.rolledBack, of: campaign.number)
        return report
    }

    private func move(
        _ campaign: Campaign, isPartial: Bool, _ keys: (CampaignItem) -> (from: RenditionKey, to: RenditionKey)
    ) throws -> Report {
        try LibraryError.wrapping(store.folder) {
            var report = Report()
            try store.transaction {
                let precedence = try store.results.highestPrecedence() + 1
                var highest = precedence
                try each(campaign) { item in
                    let (from, to) = keys(item)
                    guard try store.renditions.contains(to) else {
                        report.missing += 1
                        return
                    }
                    guard let file = try file(of: item, showing: from),
                        let current = try store.tree.current(file), var history = try store.histories.history(of: file)
                    else {
                        if try file(of: item, showing: to) == nil { report.left += 1 } else { report.unchanged += 1 }
                        return
                    }
                    history.show(key: to)
                    let own = max(precedence, current.precedence + 1)
                    highest = max(highest, own)
                    try store.show(history, of: file, precedence: own)
                    report.moved += 1
                }
                if report.missing > 0, !isPartial {
                    throw CampaignError.incomplete(campaign.name, missing: report.missing)
                }
                if report.moved > 0 { try store.results.raisePrecedence(to: highest) }
            }
            _ = try store.links.update([])
            return report
        }
    }

    // MARK: Freeing

    /// Takes out of the library what a campaign does not show: of one that was switched to the renditions before it, of any other
    /// one those that it made. What people chose since, and what another photo shows, stays. There is no way back.
    ///
    /// - Parameters:
    ///   - roots: of the RAWs.
    ///   - isDryRun: only counts.
    /// - Returns: the renditions, and their bytes.
    /// - Throws: `CampaignError`, `LibraryError`.
    public func free(_ campaign: Campaign, roots: Roots, isDryRun: Bool) throws -> (photos: Int, bytes: UInt64) {
        if campaign.state == .ended { throw CampaignError.state(campaign.name, campaign.state) }
        let remover = PhotoRemover(store: store, roots: roots)
        var freed: (photos: Int, bytes: UInt64) = (0, 0)
        var keys: [SHA256Value: Set<RenditionKey>] = [:]
        func removeAll() throws {
            let plan = try remover.plan(keys, withOriginals: false)
            freed.photos += plan.photos.count
            freed.bytes += plan.photos.reduce(0) { $0 + $1.sizeBytes }
            if !isDryRun { _ = try remover.remove(plan) }
            keys.removeAll()
        }
        try each(campaign) { item in
            let gone = campaign.state == .switched ? item.old : item.new
            if campaign.state == .switched, try file(of: item, showing: item.new) == nil { return }
            guard try isFree(gone, of: item) else { return }
            keys[item.asset, default: []].insert(gone)
            if keys.count == 500 { try removeAll() }
        }
        try removeAll()
        if !isDryRun { try table.set(.ended, of: campaign.number) }
        return freed
    }

    /// True if the library has a rendition that no file of the asset shows, and that no other photo's history has.
    private func isFree(_ key: RenditionKey, of item: CampaignItem) throws -> Bool {
        guard try store.renditions.contains(key), try file(of: item, showing: key) == nil else { return false }
        let own = [try file(of: item, showing: item.new), try file(of: item, showing: item.old)]
        return try store.revisions.files(of: item.asset, with: key).allSatisfy { own.contains($0) }
    }
}
