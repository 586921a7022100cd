import Campaigns
import Database
import Digest
import Jobs
import LibraryTables
import Manifests
import PhotoTree
import PostgreSQL
import Upkeep

/// Times of switching and rolling back a fully rendered campaign of all photos of a library.
struct SwitchRates {
    let library: GeneratedLibrary

    private var folder: String { library.folder }

    /// Switches, rolls back, and switches again.
    ///
    /// - Parameters:
    ///   - address: database to which the tables are moved first; nil keeps them in their file.
    ///   - seconds: the clock.
    func measure(on address: String?, _ seconds: () -> Double) throws {
        if try LibraryServer.address(of: folder) == nil {
            try library.make()
            let campaigns = try Campaigns(library: folder)
            if try campaigns.all().isEmpty { try plan(campaigns) }
            if let address { _ = try LibraryMigration(library: folder, to: ServerAddress(address)).run() }
        }
        let campaigns = try Campaigns(library: folder, mode: .write)
        for step in ["switched", "rolled back", "switched"] {
            let campaign = try campaigns.campaign(Self.name)
            let start = seconds()
            let report = try step == "switched" ? campaigns.show(campaign) : campaigns.rollBack(campaign)
            print("\(step): \(report.moved) photos in \(seconds() - start) s")
        }
    }

    private static let name = "all"

    /// Gives each photo another look, and thus another name.
    private func plan(_ campaigns: Campaigns) throws {
        var targets: [SHA256Value: Recipe] = [:]
        for record in try campaigns.recipes(of: nil) {
            guard case .recipe(var recipe) = record.adjustment.reading,
                let look = LookReference(name: recipe.look.name + "2", version: 1, digest: recipe.look.digest)
            else { continue }
            recipe.look = look
            targets[record.id] = recipe
        }
        _ = try campaigns.plan(Self.name, nil, changes: "", targets: targets)
        let connection = try Connection(path: "\(folder)/\(LibraryLayout.database)")
        let campaign = try campaigns.campaign(Self.name)
        var last: CampaignItem?
        while case let page = try campaigns.missing(in: campaign, after: last, limit: 1000), let end = page.last {
            last = end.item
            try connection.transaction { for (item, _) in page { try render(item, connection) } }
        }
        try connection.script("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// Adds the row of a held rendition.
    private func render(_ item: CampaignItem, _ connection: Connection) throws {
        let recipe = item.recipe
        _ = try connection.run(
            "INSERT OR IGNORE INTO recipes VALUES (?, ?, ?, ?, ?, ?)", recipe.id.bytes, recipe.look.name,
            recipe.look.version, Adjustment.identifier, Adjustment.version, recipe.canonicalText)
        _ = try connection.run(
            """
            INSERT INTO renditions SELECT ?, asset, frame, ?, engine, photo_sha256, photo_bytes, photo_width, photo_height,
                preview_sha256, preview_bytes, preview_width, preview_height, original_root, original_path,
                original_bytes, original_modified, companion_root, companion_path, companion_bytes, companion_modified,
                companion_sha256, degraded, captured, make, model, photo_base, 0, lens, 1, rating, keywords
            FROM renditions WHERE asset = (SELECT id FROM asset_numbers WHERE hash = ?) AND key = ?
            """, item.new.bytes, recipe.id.bytes, item.asset.bytes, item.old.bytes)
    }
}
