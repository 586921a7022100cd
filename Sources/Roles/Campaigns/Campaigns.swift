internal import Digest
public import Jobs
public import LibraryTables
internal import Manifests
package import PhotoTree
internal import Selection

/// The campaigns of a library. A campaign renders a part of the library again, then shows or rolls back its renditions
/// in one transaction.
///
/// Planning and rendering leave the library unchanged: a campaign's renditions are held, see `Job.isHeld`. Only `show`,
/// `rollBack` and `free` write to it. Functions throw `LibraryError`.
public final class Campaigns {
    package let store: LibraryStore
    package let table: CampaignTable
    /// Moves simple photos in batches (`PlainMove`); false only in a test that compares both ways.
    var movesTogether = true

    /// Opens a library's campaigns.
    ///
    /// - Parameters:
    ///   - mode: the library's mode; `show`, `rollBack` and `free` require one for writing.
    ///   - isReading: only reads campaigns, for users who may not write to the library.
    /// - Throws: `LibraryError`.
    public convenience init(
        library folder: String, mode: LibraryMode = .read, isReading: Bool = false
    ) throws {
        try self.init(store: LibraryStore(folder: folder, mode: mode), isReading: isReading)
    }

    package init(store: LibraryStore, isReading: Bool = false) throws {
        self.store = store
        table = try CampaignTable(library: store.folder, isReading: isReading)
    }

    private static let pageSize = 2000

    // MARK: Reading

    /// All campaigns, the oldest first.
    public func all() throws -> [Campaign] { try table.all() }

    /// The campaign with a name.
    ///
    /// - Throws: `CampaignError.unknown`, `LibraryError`.
    public func campaign(_ name: String) throws -> Campaign {
        let all = try all()
        guard let found = all.first(where: { $0.name == name }) else {
            throw CampaignError.unknown(name, known: all.map(\.name))
        }
        return found
    }

    /// A campaign's progress.
    public struct Progress: Hashable, Sendable {
        /// The campaign's photos.
        public internal(set) var photos = 0
        /// Photos whose new rendition exists.
        public internal(set) var rendered = 0
        /// Photos that show their new rendition.
        public internal(set) var shown = 0
        /// Bytes of the new renditions.
        public internal(set) var bytes: UInt64 = 0
    }

    /// Counts a campaign's photos.
    public func progress(of campaign: Campaign) throws -> Progress {
        var progress = Progress()
        try eachPage(campaign) { page in
            progress.photos += page.count
            let states = try store.tables.renditions.states(page.map(\.newID))
            for state in page.compactMap({ states[$0.new] }) {
                progress.rendered += 1
                progress.bytes += state.sizeBytes
                if state.isShown { progress.shown += 1 }
            }
        }
        return progress
    }

    /// Photos after an item that are not rendered yet, with every path of their RAWs; empty at the end.
    public func missing(
        in campaign: Campaign, after last: CampaignItem?, limit: Int
    ) throws -> [(item: CampaignItem, raws: [FileReference])] {
        var found: [(CampaignItem, [FileReference])] = []
        var last = last
        while found.count < limit {
            let page = try table.items(of: campaign, after: last, limit: limit)
            guard let end = page.last else { break }
            last = end
            let rendered = try store.tables.renditions.contained(page.map(\.newID))
            for item in page where found.count < limit && !rendered.contains(item.new) {
                found.append((item, try store.raws(of: item.asset, rendition: item.old)))
            }
            if found.count == limit { break }
        }
        return found
    }

    /// Photos spread evenly over a campaign.
    public func sample(_ count: Int, of campaign: Campaign) throws -> [(item: CampaignItem, raws: [FileReference])] {
        let total = try table.count(of: campaign.number)
        var chosen: [(CampaignItem, [FileReference])] = []
        var index = 0
        try each(campaign) { item in
            // The n-th of `count` photos is at index n ⋅ total / count.
            if chosen.count < count, index * count >= chosen.count * total {
                chosen.append((item, try store.raws(of: item.asset, rendition: item.old)))
            }
            index += 1
        }
        return chosen
    }

    /// The photo's path below the library's folder; nil if `photos/` no longer shows it.
    public func path(of item: CampaignItem) throws -> RelativePath? {
        try (file(of: item, showing: item.old) ?? file(of: item, showing: item.new)).flatMap {
            try store.tree.current($0)?.path
        }
    }

    /// The file that shows one of a photo's renditions; its variant changes with its look.
    package func file(of item: CampaignItem, showing key: RenditionKey) throws -> TreeEntryID? {
        try file(of: item.id, showing: key)
    }

    package func file(of id: TreeEntryID, showing key: RenditionKey) throws -> TreeEntryID? {
        let files = try store.tree.photos(of: id.asset).filter { $0.key == key }.map(\.id)
        return files.contains(id) ? id : files.first
    }

    package func each(_ campaign: Campaign, _ body: (CampaignItem) throws -> Void) throws {
        try eachPage(campaign) { for item in $0 { try body(item) } }
    }

    /// Pages save queries to PostgreSQL.
    func eachPage(_ campaign: Campaign, _ body: ([CampaignItem]) throws -> Void) throws {
        var last: CampaignItem?
        while case let page = try table.items(of: campaign, after: last, limit: Self.pageSize), let end = page.last {
            try body(page)
            last = end
        }
    }
}
