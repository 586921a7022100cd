public import Campaigns
internal import Digest
internal import Jobs
internal import LibraryTables
internal import PhotoTree
public import Storage

extension Campaigns {
    /// Removes renditions that a campaign does not show: those from before it if it is shown, otherwise its own. Keeps
    /// renditions that users chose since or that another photo shows. This cannot be undone.
    ///
    /// - Parameters:
    ///   - roots: the roots of the RAWs.
    ///   - isDryRun: only counts.
    /// - Returns: the number of renditions and their bytes.
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

    /// True if a rendition exists that no file of the asset shows and that no other photo has in its history.
    private func isFree(_ key: RenditionKey, of item: CampaignItem) throws -> Bool {
        guard try store.tables.renditions.contains(RenditionID(asset: item.asset, key: key)),
            try file(of: item, showing: key) == nil
        else { return false }
        let own = [try file(of: item, showing: item.new), try file(of: item, showing: item.old)]
        return try store.tables.revisions.files(of: item.asset, with: key).allSatisfy { own.contains($0) }
    }
}
