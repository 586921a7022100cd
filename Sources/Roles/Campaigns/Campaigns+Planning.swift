public import Digest
public import Jobs
public import LibraryTables
internal import PhotoTree
public import Selection

extension Campaigns {
    /// The recipes of a selection's photos.
    public func recipes(of selection: Selection?) throws -> [RecipeRecord] {
        try store.photos.recipes(selection).compactMap { try store.tables.renditions.recipe($0) }
    }

    /// The counts of a plan.
    public struct Plan: Hashable, Sendable {
        /// Photos of the selection.
        public internal(set) var selected = 0
        /// Selected photos that already have the recipe and the engine.
        public internal(set) var upToDate = 0
        /// Selected photos whose edit this Rawmill cannot read, which stay.
        public internal(set) var final = 0
        /// Other photos whose new rendition exists.
        public internal(set) var rendered = 0
        /// Bytes of the renditions that the other photos show now: about the space for the new ones.
        public internal(set) var bytes: UInt64 = 0
        /// Photos to render, by camera.
        public internal(set) var cameras: [String: Int] = [:]

        /// Their render time; nil if no render time is known.
        public internal(set) var estimate: RenderEstimate?

        /// False for a dry run or an empty campaign, which are not stored.
        public internal(set) var isKept = false

        /// The campaign's photos.
        public var photos: Int { selected - upToDate - final }
    }

    /// Plans a campaign: stores its photos and their new renditions, without rendering. An empty campaign is not
    /// stored.
    ///
    /// - Parameters:
    ///   - selection: nil for all photos.
    ///   - changes: the options of the picture, as text.
    ///   - targets: the new recipes by the old ones' digests; photos with other recipes stay.
    ///   - isDryRun: stores nothing.
    /// - Throws: `CampaignError`, `LibraryError`.
    public func plan(
        _ name: String, _ selection: Selection?, changes: String, targets: [SHA256Value: Recipe], isDryRun: Bool = false
    ) throws -> Plan {
        guard (1...100).contains(name.count), !name.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 })
        else { throw CampaignError.name(name) }
        if try all().contains(where: { $0.name == name }) { throw CampaignError.exists(name) }
        if isDryRun {
            return try walk(selection, targets) { _ in }
        }
        do { return try keep(name, selection, changes: changes, targets) } catch let nothing as NothingToRender {
            return nothing.plan
        }
    }

    private struct NothingToRender: Error {
        let plan: Plan
    }

    private func keep(
        _ name: String, _ selection: Selection?, changes: String, _ targets: [SHA256Value: Recipe]
    ) throws -> Plan {
        try table.transaction {
            let number = try table.insert(name, selection: selection?.text ?? "", changes: changes)
            var numbers: [SHA256Value: Int64] = [:]
            for target in Set(targets.values) { numbers[target.id] = try table.insertTarget(target, of: number) }
            var plan = try walk(selection, targets) { photos in
                try table.insert(
                    photos.map { .init(id: $0.id, old: $0.old, target: numbers[$0.target] ?? 0) }, of: number)
            }
            guard plan.photos > 0 else { throw NothingToRender(plan: plan) }
            plan.isKept = true
            return plan
        }
    }

    private struct PlannedPhoto {
        let id: TreeEntryID
        let old: RenditionKey
        let target: SHA256Value
        /// Nil if no rendition has the recipe.
        let new: RenditionKey?
        let facts: PhotoQueries.Facts
    }

    /// Pages save queries to PostgreSQL.
    private static let photosAtOnce = 1000

    private func walk(
        _ selection: Selection?, _ targets: [SHA256Value: Recipe], _ body: ([PlannedPhoto]) throws -> Void
    ) throws -> Plan {
        var plan = Plan()
        let ids = targets.mapValues(\.id)
        // Most targets have no rendition yet and need no search.
        let made = try Set(ids.values.filter { try store.tables.renditions.contains(recipe: $0) })
        var photos: [PlannedPhoto] = []
        func take() throws {
            let rendered = try store.tables.renditions.contained(
                photos.compactMap { photo in photo.new.map { RenditionID(asset: photo.id.asset, key: $0) } })
            for photo in photos {
                if let new = photo.new, rendered.contains(new) {
                    plan.rendered += 1
                } else {
                    plan.bytes += photo.facts.sizeBytes
                    plan.cameras[photo.facts.camera, default: 0] += 1
                }
            }
            try body(photos)
            photos.removeAll(keepingCapacity: true)
        }
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
            let new =
                made.contains(targetID)
                ? RenditionKey(
                    asset: id.asset, frame: id.frame, recipe: targetID, engine: Engine.version, format: target.format)
                : nil
            photos.append(PlannedPhoto(id: id, old: key, target: targetID, new: new, facts: facts))
            if photos.count == Self.photosAtOnce { try take() }
        }
        try take()
        plan.estimate = try store.tables.renderTimes.estimate(of: plan.cameras)
        return plan
    }

    /// Records the render time of the canary's photos.
    public func measured(_ campaign: Campaign, photos: Int, time: Duration) throws {
        let (seconds, attoseconds) = time.components
        let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
        try table.setCanary(photos: photos, milliseconds: milliseconds, of: campaign.number)
    }
}
