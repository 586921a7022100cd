internal import Jobs
internal import LibraryTables
internal import PhotoTree
internal import Revisions

extension Campaigns {
    /// The result of moving a campaign's photos.
    public struct Report: Hashable, Sendable {
        /// Photos that changed.
        public internal(set) var moved = 0
        /// Photos that already showed the rendition.
        public internal(set) var unchanged = 0
        /// Photos that users changed or removed since, which stay.
        public internal(set) var left = 0
        /// Photos that are not rendered.
        public internal(set) var missing = 0
    }

    /// Shows a campaign's renditions, in one transaction.
    ///
    /// - Parameter isPartial: allows an incomplete campaign.
    /// - Throws: `CampaignError`, `LibraryError`.
    public func show(_ campaign: Campaign, isPartial: Bool = false) throws -> Report {
        if campaign.state == .ended { throw CampaignError.state(campaign.name, campaign.state) }
        let report = try move(campaign, isPartial: isPartial) { ($0.old, $0.new) }
        try table.set(.switched, of: campaign.number)
        return report
    }

    /// Shows the renditions from before the campaign, in one transaction.
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
                let precedence = try store.tables.results.highestPrecedence() + 1
                var highest = precedence
                report.missing = try eachRendered(campaign, keys) { items in
                    // Photos that `PlainMove` leaves are moved after the others.
                    var plain = PlainMove(store, precedence: precedence)
                    let outcomes = movesTogether ? try plain.move(items) : items.map { _ in nil }
                    highest = max(highest, plain.highest)
                    for (item, outcome) in zip(items, outcomes) {
                        switch try outcome ?? move(item, precedence, &highest) {
                        case .moved: report.moved += 1
                        case .unchanged: report.unchanged += 1
                        case .left: report.left += 1
                        }
                    }
                }
                if report.missing > 0, !isPartial {
                    throw CampaignError.incomplete(campaign.name, missing: report.missing)
                }
                if report.moved > 0 { try store.tables.results.raisePrecedence(to: highest) }
            }
            _ = try store.links.update([])
            return report
        }
    }

    private func move(
        _ item: PlainMove.Item, _ precedence: Int64, _ highest: inout Int64
    ) throws -> PlainMove.Outcome {
        guard let file = try file(of: item.id, showing: item.from), let current = try store.tree.current(file),
            var history = try store.histories.history(of: file)
        else { return try file(of: item.id, showing: item.to) == nil ? .left : .unchanged }
        history.show(key: item.to)
        let own = max(precedence, current.precedence + 1)
        highest = max(highest, own)
        try store.show(history, of: file, precedence: own)
        return .moved
    }

    /// Calls `body` with pages of photos whose renditions exist. Returns the number of photos not rendered.
    private func eachRendered(
        _ campaign: Campaign, _ keys: (CampaignItem) -> (from: RenditionKey, to: RenditionKey),
        _ body: ([PlainMove.Item]) throws -> Void
    ) throws -> Int {
        var missing = 0
        try eachPage(campaign) { page in
            let items = page.map { PlainMove.Item(id: $0.id, from: keys($0).from, to: keys($0).to) }
            let rendered = try store.tables.renditions.contained(
                items.map { RenditionID(asset: $0.id.asset, key: $0.to) })
            let there = items.filter { rendered.contains($0.to) }
            missing += items.count - there.count
            try body(there)
        }
        return missing
    }
}
