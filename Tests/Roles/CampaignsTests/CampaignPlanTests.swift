import Database
import Digest
import Jobs
import LibraryFixtures
import Testing

@testable import Campaigns
@testable import LibraryTables
@testable import PhotoTree
@testable import Selection

@Suite("Plans of campaigns") struct CampaignPlanTests {
    private func targets(_ campaigns: Campaigns, version: UInt32) throws -> [SHA256Value: Recipe] {
        var targets: [SHA256Value: Recipe] = [:]
        for record in try campaigns.recipes(of: nil) {
            guard case .recipe(var recipe) = record.adjustment.reading else { continue }
            recipe.look = try #require(
                LookReference(name: recipe.look.name, version: version, digest: recipe.look.digest))
            targets[record.id] = recipe
        }
        return targets
    }

    @Test(
        "A plan has each photo once, counts rendered ones, and is the same with older tables",
        arguments: LibraryFixture.BackEnd.here)
    func plan(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        try carryBack(fixture)
        let campaigns = try Campaigns(library: fixture.libraryPath)
        let targets = try targets(campaigns, version: 77)
        let dry = try campaigns.plan("dry", nil, changes: "", targets: targets, isDryRun: true)
        let plan = try campaigns.plan("all", nil, changes: "", targets: targets)
        #expect(plan.isKept && !dry.isKept)
        #expect(plan.photos == dry.photos && plan.cameras == dry.cameras && plan.bytes == dry.bytes)
        #expect(plan.photos > 5 && plan.rendered == 0 && plan.bytes > 0)
        var items: [CampaignItem] = []
        try campaigns.each(try campaigns.campaign("all")) { items.append($0) }
        #expect(items.count == plan.photos && Set(items.map(\.id)).count == items.count)
        #expect(items.allSatisfy { $0.recipe.look.version == 77 && $0.old != $0.new })
        #expect(try campaigns.all().map(\.name) == ["all"])
    }

    @Test("A plan without photos is not kept, and its name stays free", arguments: LibraryFixture.BackEnd.here)
    func nothing(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        let campaigns = try Campaigns(library: fixture.libraryPath)
        let targets = try targets(campaigns, version: 77)
        let none = try campaigns.plan("c", try Selection("look = 'nobody-has-this'"), changes: "", targets: targets)
        #expect(!none.isKept && none.selected == 0)
        let final = try campaigns.plan("c", nil, changes: "", targets: [:])
        #expect(!final.isKept && final.selected > 5 && final.final == final.selected)
        #expect(try campaigns.all().isEmpty)
        #expect(try campaigns.plan("c", nil, changes: "", targets: targets).isKept)
    }

    @Test("Renditions that the library already has are counted as rendered", arguments: LibraryFixture.BackEnd.here)
    func rendered(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        let campaigns = try Campaigns(library: fixture.libraryPath)
        let records = try campaigns.recipes(of: nil)
        var counts: [Int] = []
        for record in records {
            guard case .recipe(let target) = record.adjustment.reading else { continue }
            var expected = 0
            try campaigns.store.photos.eachRendition(nil) { id, key, recipe, _, _ in
                let new = RenditionKey(
                    asset: id.asset, frame: id.frame, recipe: target.id, engine: Engine.version,
                    format: target.format)
                let isThere = try campaigns.store.tables.renditions.contains(RenditionID(asset: id.asset, key: new))
                if recipe != target.id, isThere { expected += 1 }
            }
            let targets = Dictionary(uniqueKeysWithValues: records.map { ($0.id, target) })
            let plan = try campaigns.plan("dry", nil, changes: "", targets: targets, isDryRun: true)
            #expect(plan.rendered >= expected && plan.rendered <= plan.photos)
            counts.append(expected)
        }
        #expect(counts.contains { $0 > 0 })
    }

    /// Reverts the campaigns' tables to the first step of their schema.
    private func carryBack(_ fixture: LibraryFixture) throws {
        _ = try Campaigns(library: fixture.libraryPath)
        let location = try #require(try LibraryLocation(library: fixture.libraryPath))
        let connection = try location.open(.campaigns, of: fixture.libraryPath, mode: .readWrite)
        try connection.script(
            location.isFile
                ? "PRAGMA user_version = 1"
                : """
                ALTER TABLE items ADD CONSTRAINT items_campaign_fkey FOREIGN KEY (campaign) REFERENCES campaigns(id);
                ALTER TABLE items ADD CONSTRAINT items_target_fkey FOREIGN KEY (target) REFERENCES targets(id);
                UPDATE schema_version SET steps = 1;
                """)
    }
}
