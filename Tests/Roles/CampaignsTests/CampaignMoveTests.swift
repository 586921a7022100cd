import Database
import Digest
import ExternalTools
import Jobs
import LibraryFixtures
import Manifests
import SeededRandom
import Storage
import Testing

@testable import Campaigns
@testable import LibraryTables
@testable import PhotoTree

/// A switch moves photos with simple changes together. These tests compare that with moving them one by one.
@Suite("Moving the photos of a campaign together") struct CampaignMoveTests {
    /// The state of a library, and the results of moves.
    private struct State: Equatable {
        var report = Campaigns.Report()
        let content: [String]
        let photos: [String]
    }

    /// Two libraries with the same manifests; one moves photos together.
    private struct Pair {
        let together: LibraryFixture
        let alone: LibraryFixture

        init(on backEnd: LibraryFixture.BackEnd) throws {
            together = try LibraryFixture(on: backEnd)
            alone = try LibraryFixture(on: backEnd)
        }

        func each<Value>(_ body: (LibraryFixture, _ together: Bool) throws -> Value) throws -> [Value] {
            [try body(together, true), try body(alone, false)]
        }
    }

    /// For each frame of each RAW one rendition, for some a second one; few names, so that they collide.
    private static func shots(_ random: inout SeededGenerator) -> [Shot] {
        (0..<Int.random(in: 20...60, using: &random)).flatMap { number -> [Shot] in
            var shot = Shot("raw \(number)", path: "2019/IMG_\(number).CR2")
            if Int.random(in: 0..<3, using: &random) == 0 {
                shot = Shot("raw \(number)", path: "2019/IMG_\(Int.random(in: 0...number, using: &random)).NEF")
            }
            shot.look = ["velvet", "velvet", "mono", "warm"].randomElement(using: &random) ?? ""
            shot.edit = Int.random(in: 0...1, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: return [shot, shot.with { $0.look = "mono" }]
            case 1: return [shot, shot.with { $0.frame = 1 }]
            case 2: return [shot, shot.with { $0.edit += 7 }]
            case 3: return [shot.with { $0.isCopied = true }]
            default: return [shot]
            }
        }
    }

    private enum Change: CaseIterable {
        /// The same photos look different.
        case edit
        /// Photos get other names.
        case look
        /// Some photos get others' names.
        case swap

        func callAsFunction(_ shot: Shot) -> Shot {
            shot.with { shot in
                switch self {
                case .edit: shot.edit += 20
                case .look: shot.look = "new"
                case .swap: shot.look = shot.look == "velvet" ? "mono" : "velvet"
                }
            }
        }
    }

    private func manifests(_ shots: [Shot], of fixture: LibraryFixture, at start: Int64) throws -> [Manifest] {
        try shots.enumerated().map { index, shot in
            try Manifest(
                [fixture.render(shot)], finished: start + Int64(index), originals: shot.isCopied ? .copy : .reference)
        }
    }

    /// Renders like `rawmill campaign run`: photos are held.
    private func render(_ shots: [Shot], of fixture: LibraryFixture) throws {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        try store.transaction {
            for shot in shots {
                do {
                    _ = try store.merge(RenditionRecord(fixture.render(shot)), finished: 0, isHeld: true)
                } catch is MergeRefusal {}
            }
        }
        _ = try store.links.update([])
    }

    /// Records the paths of RAWs.
    private func see(_ shots: [Shot], in fixture: LibraryFixture) throws {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            for shot in shots {
                let sighting = Sighting(raw: shot.original, photoBase: Array(shot.base.utf8))
                try store.merge(sighting, of: shot.asset) { _ in false }
            }
        }
        _ = try store.links.update([])
    }

    private func state(_ fixture: LibraryFixture, _ report: Campaigns.Report) throws -> State {
        let others = try fixture.connection().all(
            """
            SELECT 'revision', asset, frame, look, number, key, parent FROM revisions UNION ALL
            SELECT 'choice', asset, frame, look, number, key, precedence FROM choices UNION ALL
            SELECT 'rendition', asset, frame, '', held, key, finished FROM renditions
            ORDER BY 1, 2, 3, 4, 5, 6
            """
        ) { row in
            [0, 1, 2, 3, 4, 6].map { row.isNull($0) ? "-" : row.text($0) }.joined(separator: " ")
                + " \(SHA256Value(bytes: row.blob(5).prefix(32))?.description ?? "")"
        }
        return State(report: report, content: try fixture.content() + others, photos: fixture.files(below: "photos"))
    }

    private func compare(_ backEnd: LibraryFixture.BackEnd, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pair = try Pair(on: backEnd)
        let shots = Self.shots(&random)
        let change = Change.allCases[seed % Change.allCases.count]
        let targets = Dictionary(shots.map { ($0.recipe.id, change($0).recipe) }, uniquingKeysWith: { $1 })
        let rendered = shots.filter { _ in Int.random(in: 0..<10, using: &random) > seed % 4 }.map { shot in
            // Some are rendered where the RAW is now.
            change(shot).with { if Int.random(in: 0..<9, using: &random) == 0 { $0.path = "2021/\($0.base).CR2" } }
        }
        let others = rendered.shuffled(using: &random).prefix(seed % 2 == 0 ? 4 : 0)
        let later = Array(shots.shuffled(using: &random).prefix(5)).map { shot in shot.with { $0.edit += 1 } }
        let seen = Int.random(in: 0..<shots.count, using: &random)
        _ = try pair.each { fixture, _ in
            try fixture.merge(manifests(shots, of: fixture, at: 1_600_000_000_000))
            try see(shots + [shots[seen].with { $0.path = "best/again.CR2" }], in: fixture)
            let plan = try Campaigns(library: fixture.libraryPath).plan("c", nil, changes: "", targets: targets)
            #expect(plan.photos > 0)
            try render(rendered, of: fixture)
            // A user has files under names that some photos will get.
            let root = try fixture.library
            for shot in others {
                _ = try root.publish([1, 2, 3], at: Array("photos/archive/2019/\(shot.base).\(shot.look).jpg".utf8))
            }
            // Ordered meanwhile: those photos are left unchanged.
            try fixture.merge(manifests(Array(later.prefix(2)), of: fixture, at: 1_700_000_000_000))
        }
        var moved = 0
        for step in ["switch", "rollback", "switch", "order", "rollback", "switch"] {
            let states = try pair.each { fixture, together in
                if step == "order" {
                    try fixture.merge(manifests(later, of: fixture, at: 2_000_000_000_000))
                    return try state(fixture, Campaigns.Report())
                }
                let campaigns = try Campaigns(library: fixture.libraryPath, mode: .write)
                campaigns.movesTogether = together
                let campaign = try campaigns.campaign("c")
                let report =
                    try step == "switch"
                    ? campaigns.show(campaign, isPartial: true) : campaigns.rollBack(campaign)
                moved += report.moved
                return try state(fixture, report)
            }
            #expect(states[0].report == states[1].report, "seed \(seed), \(step)")
            let lines = states.map { Set($0.content) }
            #expect(lines[0].subtracting(lines[1]).sorted().prefix(9) == [], "seed \(seed), \(step)")
            #expect(lines[1].subtracting(lines[0]).sorted().prefix(9) == [], "seed \(seed), \(step)")
            #expect(states[0].photos == states[1].photos, "seed \(seed), \(step)")
            if others.isEmpty { try pair.together.expectConsistency("seed \(seed), \(step)") }
        }
        #expect(moved > 0)
    }

    @Test("It has the results of moving one after the other, in a file", arguments: 1...9)
    func file(seed: Int) throws { try compare(.file, seed: seed) }

    @Test(
        "It has the results of moving one after the other, on a server", .night, .needs(.postgreSQL), arguments: 1...6)
    func server(seed: Int) throws { try compare(.server, seed: seed) }
}
