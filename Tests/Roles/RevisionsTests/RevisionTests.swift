import Digest
import Glibc
import Jobs
import LibraryFixtures
import Manifests
import SeededRandom
import Storage
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Revisions
@testable import Selection
@testable import Upkeep

@Suite("Revisions of photos") struct RevisionTests {
    let fixture: LibraryFixture
    let shot = Shot("a", path: "trip/IMG_1.CR2")

    init() throws { fixture = try LibraryFixture() }

    /// Merges the results of an order, in the order of precedence.
    private func order(_ shots: Shot..., at finished: Int64) throws {
        try fixture.merge(try shots.map { try Manifest([try fixture.render($0)], finished: finished) })
    }

    /// Merges the results of an edit.
    private func hold(_ shot: Shot, at finished: Int64 = 50) throws {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        let rendition = try fixture.render(shot)
        try store.transaction {
            _ = try store.merge(RenditionRecord(rendition), finished: finished, isHeld: true)
        }
        _ = try store.links.update([])
    }

    private func reviser() throws -> PhotoReviser { try PhotoReviser(library: fixture.libraryPath, mode: .write) }

    private func photos(_ shot: Shot) throws -> [PhotoReviser.Photo] {
        let name = try #require(AssetName(shot.asset.description))
        return try PhotoReviser(library: fixture.libraryPath, mode: .read).photos([name])
    }

    private func photo(_ shot: Shot) throws -> PhotoReviser.Photo { try #require(try photos(shot).first) }

    /// An edit like the command's: rendered first, then shown.
    @discardableResult
    private func edit(_ change: (inout Shot) -> Void) throws -> Shot {
        let edited = shot.with(change)
        try hold(edited)
        let before = try photo(shot)
        _ = try reviser().show([(before, edited.key)])
        try fixture.expectConsistency("an edit")
        return edited
    }

    @discardableResult
    private func move(_ move: PhotoHistory.Move) throws -> PhotoReviser.Photo {
        let change = try #require(try reviser().move([try photo(shot)], move).first)
        try fixture.expectConsistency("\(move)")
        return change.after
    }

    private var names: [String] { fixture.files(below: "photos") }
    private let plain = "photos/archive/trip/IMG_1.velvet.jpg"

    @Test("A held photo is in the library and not shown")
    func held() throws {
        try order(shot, at: 1)
        try hold(shot.with { $0.look = "mono" })
        #expect(names == [plain])
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        #expect(try store.tables.renditions.contains(shot.with { $0.look = "mono" }.id))
    }

    @Test("An edit takes the photo's place, under its own look's name, and undo and redo move between them")
    func undoAndRedo() throws {
        try order(shot, at: 1)
        let edited = try edit { $0.look = "mono" }
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg"])
        #expect(try photo(shot).history.current == 2)
        #expect(try move(.undo).recipe.id == shot.recipe.id)
        #expect(names == [plain])
        #expect(try move(.redo).recipe.id == edited.recipe.id)
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg"])
        let objects = fixture.files(below: "objects")
        #expect(objects.count == 2, "nothing was removed")
    }

    @Test("An undo whose files cannot follow reports that it is done, and they follow later automatically")
    func filesFollowLater() throws {
        try order(shot, at: 1)
        try edit { $0.look = "mono" }
        try edit { $0.look = "silver" }
        let (shown, aside) = (fixture.libraryPath + "/photos", fixture.libraryPath + "/aside")
        try #require(rename(shown, aside) == 0)
        try #require(symlink("/nonexistent", shown) == 0)
        let error = try #require(throws: LibraryError.self) { try reviser().move([try photo(shot)], .undo) }
        guard case .notShown = error else {
            Issue.record("\(error)")
            return
        }
        #expect(error.description.contains("do not repeat the command"))
        #expect(try photo(shot).history.current == 2)
        try #require(unlink(shown) == 0 && rename(aside, shown) == 0)
        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write).links.update([])
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg"])
        try fixture.expectConsistency("an undo that was interrupted")
    }

    @Test("Undo without an edit, and redo without an undo, change nothing")
    func nothingToUndo() throws {
        try order(shot, at: 1)
        let before = try photo(shot)
        #expect(try move(.undo) == before)
        #expect(try move(.redo) == before)
    }

    @Test("An edit after an undo has the earlier revision as its parent, and no revision is lost")
    func branches() throws {
        try order(shot, at: 1)
        try edit { $0.edit = 5 }
        try move(.undo)
        let third = try edit { $0.edit = -5 }
        let history = try photo(shot).history
        #expect(history.revisions.map(\.parent) == [nil, 1, 1])
        #expect(history.current == 3)
        #expect(try move(.undo).history.current == 1)
        #expect(try move(.redo).recipe.id == third.recipe.id)
        #expect(try move(.to(2)).history.current == 2)
        #expect(try move(.original).recipe.id == shot.recipe.id)
    }

    @Test("Photos of earlier orders are a history too")
    func ordersBefore() throws {
        try order(shot, at: 1)
        try order(shot.with { $0.edit = 3 }, at: 2)
        #expect(try photo(shot).history.current == 2)
        #expect(try move(.undo).recipe.id == shot.recipe.id)
        #expect(names == [plain])
    }

    @Test("A later order is shown instead of the choice, and undo returns to that")
    func laterOrder() throws {
        try order(shot, at: 1)
        let edited = try edit { $0.edit = 5 }
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        let precedence = try store.tables.results.highestPrecedence()
        let ordered = shot.with { $0.edit = 7 }
        try order(ordered, at: precedence + 1)
        #expect(try photo(shot).recipe.id == ordered.recipe.id)
        #expect(try move(.undo).recipe.id == edited.recipe.id)
    }

    @Test("Repeated manifests change no choice", arguments: 1...20 as ClosedRange<UInt64>)
    func replay(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let second = shot.with { $0.edit = 3 }
        let orders = [
            try Manifest([try fixture.render(shot)], finished: 1),
            try Manifest([try fixture.render(second)], finished: 2),
        ]
        try fixture.merge(orders)
        let edited = try edit { $0.look = "mono" }
        if Bool.random(using: &random) { try move(.undo) }
        if Bool.random(using: &random) { try move(.original) }
        let before = (try photo(shot), names)
        try fixture.merge(orders.shuffled(using: &random) + orders.shuffled(using: &random))
        try hold(edited, at: Int64.random(in: 1...99, using: &random))
        #expect(try photo(shot) == before.0, "seed \(seed)")
        #expect(names == before.1, "seed \(seed)")
    }

    @Test(
        "An order shows an edit's photo under its own look's name, whichever is merged first", arguments: [false, true])
    func orderOfHeld(isHeldFirst: Bool) throws {
        let mono = shot.with { $0.look = "mono" }
        try order(shot, at: 1)
        if isHeldFirst { try hold(mono) }
        try order(mono, at: 20)
        if !isHeldFirst { try hold(mono) }
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg", plain])
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        #expect(try store.tables.renditions.summary(mono.id)?.finished == 20)
    }

    @Test("A photo with another look belongs to that look: a later order of it replaces it, and undo returns")
    func lookOfEdit() throws {
        try order(shot, at: 1)
        let edited = try edit { $0.look = "mono" }
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        let precedence = try store.tables.results.highestPrecedence()
        try order(edited, at: precedence + 1)
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg"], "no photo twice")
        try order(edited.with { $0.edit = 4 }, at: precedence + 2)
        #expect(names == ["photos/archive/trip/IMG_1.mono.jpg"])
        #expect(try move(.undo).recipe.id == edited.recipe.id)
        #expect(try move(.undo).recipe.id == shot.recipe.id)
        #expect(names == [plain])
        try order(shot, at: 1)
        try order(edited, at: precedence + 1)
        #expect(names == [plain], "repeated records change nothing")
    }

    @Test("A rebuild keeps histories and choices")
    func rebuild() async throws {
        try order(shot, at: 1)
        try edit { $0.look = "mono" }
        try edit { $0.edit = 9 }
        try move(.undo)
        let before = (try photo(shot), names, try fixture.content())
        _ = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program
        ).run()
        #expect(try photo(shot) == before.0)
        #expect(names == before.1)
        #expect(try fixture.content() == before.2)
    }

    @Test("A removed photo goes with its whole history; a removed revision leaves it")
    func removal() throws {
        let other = Shot("b", path: "trip/IMG_2.CR2")
        try order(shot, other, at: 1)
        let second = try edit { $0.look = "mono" }
        try edit { $0.edit = 9 }
        func remove(_ name: AssetName) throws {
            let remover = PhotoRemover(
                store: try LibraryStore(folder: fixture.libraryPath, mode: .write), roots: Roots([:]))
            _ = try remover.remove(try remover.plan([name]))
        }
        try remove(try #require(AssetName(LibraryLayout.photo(second.key).description)))
        #expect(try photo(shot).history.revisions.map(\.number) == [1, 3])
        #expect(try photo(shot).history.revisions.map(\.parent) == [nil, 1])
        try fixture.expectConsistency("a revision was removed")
        try remove(try #require(AssetName(plain)))
        #expect(names == ["photos/archive/trip/IMG_2.velvet.jpg"])
        #expect(fixture.files(below: "objects").count == 1)
        try fixture.expectConsistency("a photo was removed")
    }

    @Test("If the shown revision is removed, the photo shows the ordered one")
    func removalOfShown() throws {
        try order(shot, at: 1)
        let edited = try edit { $0.look = "mono" }
        let remover = PhotoRemover(
            store: try LibraryStore(folder: fixture.libraryPath, mode: .write), roots: Roots([:]))
        let object = try #require(AssetName(LibraryLayout.photo(edited.key).description))
        _ = try remover.remove(try remover.plan([object]))
        #expect(names == [plain])
        #expect(
            try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.revisions.files(of: shot.asset).count == 1
        )
    }

    @Test("Pruning superseded photos keeps histories")
    func pruning() throws {
        try order(shot, at: 1)
        try order(shot.with { $0.edit = 1 }, at: 2)
        try edit { $0.edit = 2 }
        var options = LibraryPruner.Options()
        options.superseded = true
        options.isDryRun = false
        let report = try LibraryPruner(
            library: fixture.libraryPath, roots: Roots([:]), options: options, metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.superseded == 0)
        #expect(try move(.original).recipe.id == shot.recipe.id)
    }

    @Test("A photo moves at every path at which its RAW was seen")
    func sightings() throws {
        let twin = shot.with {
            $0.path = "best/IMG_9.CR2"
            $0.base = "IMG_9"
        }
        try order(shot, at: 1)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            for seen in [shot, twin] {
                try store.merge(
                    Sighting(raw: seen.original, photoBase: Array(seen.base.utf8)), of: shot.asset,
                    isGone: { _ in false })
            }
        }
        _ = try store.links.update([])
        #expect(names == ["photos/archive/best/IMG_9.velvet.jpg", plain])
        let edited = shot.with { $0.look = "mono" }
        let rendition = try fixture.render(edited)
        try store.transaction { _ = try store.merge(RenditionRecord(rendition), finished: 9, isHeld: true) }
        let reviser = PhotoReviser(store: store)
        let name = try #require(AssetName(shot.asset.description))
        let photo = try #require(try reviser.photos([name]).first)
        _ = try reviser.show([(photo, edited.key)])
        #expect(names == ["photos/archive/best/IMG_9.mono.jpg", "photos/archive/trip/IMG_1.mono.jpg"])
    }

    @Test(
        "Any sequence of edits, orders and moves leaves a library whose files match its rows",
        arguments: 1...12 as ClosedRange<UInt64>)
    func anySequence(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let shots = [shot, Shot("b", path: "trip/IMG_2.CR2"), Shot("c", path: "trip/IMG_1.CR3", base: "IMG_1")]
        let looks = ["velvet", "mono", "amber"]
        for shot in shots { try order(shot, at: 1) }
        for _ in 0..<25 {
            let chosen = shots.randomElement(using: &random) ?? shot
            let next = chosen.with {
                $0.look = looks.randomElement(using: &random) ?? "velvet"
                $0.edit = Int.random(in: 0...3, using: &random)
            }
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
            let precedence = try store.tables.results.highestPrecedence()
            let all = try photos(chosen)
            let photo = try #require(all.randomElement(using: &random))
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try order(next, at: max(precedence, 100) + 1)
            case 1, 2:
                try hold(next)
                _ = try reviser().show([(photo, next.key)])
                #expect(try photos(chosen).contains { $0.recipe.id == next.recipe.id }, "seed \(seed)")
            case 3: _ = try reviser().move([photo], .undo)
            case 4: _ = try reviser().move([photo], .redo)
            default: _ = try reviser().move([photo], .original)
            }
            try fixture.expectConsistency("seed \(seed)")
        }
    }
}
