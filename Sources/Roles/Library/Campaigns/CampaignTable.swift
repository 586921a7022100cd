internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// The database of campaigns, `.rawmill/campaigns.sqlite`: which photos each is about, and what they become. It is its own, so that a
/// campaign is planned and rendered while the cataloguer writes the library.
final class CampaignTable {
    static let path = "\(LibraryLayout.hidden)/campaigns.sqlite"

    private let connection: Connection
    private let folder: String

    /// - Parameter folder: the library's.
    init(library folder: String) throws {
        self.folder = folder
        connection = try LibraryError.wrapping(folder) {
            let connection = try Connection(path: "\(folder)/\(Self.path)")
            try connection.migrate([Self.first])
            return connection
        }
    }

    /// `items.old` is the rendition that was shown when the campaign was planned.
    private static let first = Migration(
        """
        CREATE TABLE campaigns (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, selection TEXT NOT NULL, changes TEXT NOT NULL,
            state INTEGER NOT NULL, engine INTEGER NOT NULL, canary_photos INTEGER NOT NULL, canary_ms INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE targets (
            id INTEGER PRIMARY KEY, campaign INTEGER NOT NULL REFERENCES campaigns(id), data TEXT NOT NULL,
            UNIQUE (campaign, data)
        ) STRICT;
        CREATE TABLE items (
            campaign INTEGER NOT NULL REFERENCES campaigns(id), asset BLOB NOT NULL, frame INTEGER NOT NULL,
            look TEXT NOT NULL, old BLOB NOT NULL, target INTEGER NOT NULL REFERENCES targets(id),
            PRIMARY KEY (campaign, asset, frame, look)
        ) STRICT, WITHOUT ROWID;
        """)

    private func perform<Value>(_ body: (Connection) throws -> Value) throws -> Value {
        try LibraryError.wrapping(folder) { try body(connection) }
    }

    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try perform { try $0.transaction(body) }
    }

    // MARK: Campaigns

    func all() throws -> [Campaign] {
        try perform { connection in
            try connection.all(
                "SELECT id, name, selection, changes, state, engine, canary_photos, canary_ms FROM campaigns ORDER BY id"
            ) { row in
                guard let state = Campaign.State(rawValue: Int(row.integer(4))) else { throw InvalidRow() }
                return Campaign(
                    number: row.integer(0), name: row.text(1), selection: row.text(2), changes: row.text(3),
                    state: state, engine: UInt32(clamping: row.integer(5)),
                    canary: (Int(row.integer(6)), Int(row.integer(7))))
            }
        }
    }

    func insert(_ name: String, selection: String, changes: String) throws -> Int64 {
        try perform { connection in
            try connection.insert(
                "INSERT INTO campaigns VALUES (NULL, ?, ?, ?, 0, ?, 0, 0)", name, selection, changes, Engine.version)
        }
    }

    func set(_ state: Campaign.State, of campaign: Int64) throws {
        try perform { _ = try $0.run("UPDATE campaigns SET state = ? WHERE id = ?", state.rawValue, campaign) }
    }

    func setCanary(photos: Int, milliseconds: Int, of campaign: Int64) throws {
        try perform { connection in
            _ = try connection.run(
                "UPDATE campaigns SET canary_photos = ?, canary_ms = ? WHERE id = ?", photos, milliseconds, campaign)
        }
    }

    // MARK: Items

    func insertTarget(_ recipe: Recipe, of campaign: Int64) throws -> Int64 {
        try perform { connection in
            let text = recipe.canonicalText
            _ = try connection.run(
                "INSERT INTO targets VALUES (NULL, ?, ?) ON CONFLICT DO NOTHING", campaign, text)
            return try connection.first("SELECT id FROM targets WHERE campaign = ? AND data = ?", campaign, text) {
                $0.integer(0)
            } ?? 0
        }
    }

    func insert(_ id: TreeEntryID, old: RenditionKey, target: Int64, of campaign: Int64) throws {
        try perform { connection in
            _ = try connection.run(
                "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?)", campaign, id.asset.bytes, id.frame, id.variant,
                old.bytes, target)
        }
    }

    func count(of campaign: Int64) throws -> Int {
        try perform { connection in
            try connection.first("SELECT count(*) FROM items WHERE campaign = ?", campaign) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Items in the order of assets, those after one; empty at the end.
    func items(of campaign: Campaign, after last: CampaignItem?, limit: Int) throws -> [CampaignItem] {
        let targets = try self.targets(of: campaign.number)
        return try perform { connection in
            try connection.all(
                """
                SELECT asset, frame, look, old, target FROM items
                WHERE campaign = ? AND (asset, frame, look) > (?, ?, ?) ORDER BY asset, frame, look LIMIT ?
                """, campaign.number, last?.id.asset.bytes ?? [], last?.id.frame ?? 0, last?.id.variant ?? "", limit
            ) { row in
                let asset = try row.digest(0)
                guard let recipe = targets[row.integer(4)] else { throw InvalidRow() }
                return CampaignItem(
                    id: TreeEntryID(asset: asset, frame: row.frame(1), variant: row.text(2)), old: try row.key(3),
                    recipe: recipe,
                    new: RenditionKey(
                        asset: asset, frame: row.frame(1), recipe: recipe.id, engine: campaign.engine,
                        format: recipe.format))
            }
        }
    }

    private func targets(of campaign: Int64) throws -> [Int64: Recipe] {
        var targets: [Int64: Recipe] = [:]
        try perform { connection in
            try connection.each("SELECT id, data FROM targets WHERE campaign = ?", campaign) { row in
                targets[row.integer(0)] = Recipe(canonicalText: row.text(1))
            }
        }
        return targets
    }
}
