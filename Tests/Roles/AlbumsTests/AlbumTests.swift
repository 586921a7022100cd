import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import SeededRandom
import Storage
import Testing

@testable import Albums
@testable import PhotoTree
@testable import Selection
@testable import Upkeep

@Suite("Albums") struct AlbumTests {
    let fixture: LibraryFixture
    let store: LibraryStore
    let members: [AlbumMember]

    init() throws {
        let fixture = try LibraryFixture()
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        (self.fixture, self.store) = (fixture, store)
        let shots = (0..<8).map { Shot("photo \($0)", path: "2024/IMG_\($0).CR2") }
        let mono = shots[0].with { $0.look = "mono" }
        let renditions = try (shots + [mono]).map { shot in
            try fixture.render(shot, bytes: Array("\(shot.path)\(shot.look)".utf8))
        }
        let manifests = try renditions.enumerated().map { try Manifest([$1], finished: Int64($0)) }
        try fixture.mergeRows(manifests, into: store)
        members = shots.map { AlbumMember(asset: $0.asset, frame: 0) }
        try store.albums.create("best")
    }

    private func numbers(_ name: String = "best") throws -> [Int] {
        try store.albums.members(of: name).compactMap { members.firstIndex(of: $0) }
    }

    @Test("Photographs are in the order in which they were added, each once")
    func adds() throws {
        #expect(try store.albums.add([members[3], members[1], members[3]], to: "best") == 2)
        #expect(try store.albums.add([members[1], members[0]], to: "best") == 1)
        #expect(try numbers() == [3, 1, 0])
        #expect(try store.albums.add([members[5], members[6]], to: "best", at: .before(members[1])) == 2)
        #expect(try store.albums.add([members[7]], to: "best", at: .index(0)) == 1)
        #expect(try numbers() == [7, 3, 5, 6, 1, 0])
    }

    @Test("An album shows all photos of its photographs, in their order")
    func shows() throws {
        try store.albums.add([members[2], members[0]], to: "best")
        let photos = try store.albums.photos(of: "best")
        #expect(photos.map(\.index) == [0, 1, 1])
        #expect(photos.map(\.summary.look) == ["velvet", "mono", "velvet"])
        let mono = PhotoFilter(selection: try Selection("look = 'mono'"))
        #expect(try store.albums.photos(of: "best", mono).map(\.index) == [1])
    }

    @Test("A photograph is found by its id, by a photo's path, and by a condition")
    func finds() throws {
        let digits = String(members[4].asset.description.prefix(10))
        #expect(try store.albums.members(named: .prefix(digits)) == [members[4]])
        let path = try #require(RelativePath("photos/archive/2024/IMG_0.mono.jpg"))
        #expect(try store.albums.members(named: .path(path)) == [members[0]])
        #expect(throws: PhotoNameError.self) { try store.albums.members(named: .prefix("0000000000")) }
        let selected = try store.albums.members(
            PhotoFilter(selection: try Selection("path like '%IMG_0%' or path like '%IMG_7%'")))
        #expect(selected == [members[0], members[7]])
    }

    @Test("Random changes give the same order as a plain list, however small the gaps become")
    func agreesWithList() throws {
        var random = SeededGenerator()
        var list: [Int] = []
        for step in 0..<800 {
            let chosen = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 0..<8, using: &random) }
            var unique: [Int] = []
            for number in chosen where !unique.contains(number) { unique.append(number) }
            let photographs = unique.map { members[$0] }
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                try store.albums.remove(photographs, from: "best")
                list.removeAll { unique.contains($0) }
            case 1:
                let index = Int.random(in: 0...8, using: &random)
                try store.albums.add(photographs, to: "best", at: .index(index))
                let new = unique.filter { !list.contains($0) }
                list.insert(contentsOf: new, at: min(index, list.count))
            case 2:
                let index = Int.random(in: 0...8, using: &random)
                try store.albums.move(photographs, in: "best", to: .index(index))
                let moved = unique.filter { list.contains($0) }
                list.removeAll { moved.contains($0) }
                list.insert(contentsOf: moved, at: min(index, list.count))
            default:
                // Always between the same two, so that gaps are used up.
                let moved = unique.filter { list.contains($0) }
                guard let anchor = list.first(where: { !moved.contains($0) }) else { continue }
                try store.albums.move(photographs, in: "best", to: .after(members[anchor]))
                list.removeAll { moved.contains($0) }
                list.insert(contentsOf: moved, at: (list.firstIndex(of: anchor) ?? 0) + 1)
            }
            #expect(try numbers() == list, "seed \(random.seed), step \(step)")
        }
    }

    @Test("An impossible move changes nothing")
    func refusedMoves() throws {
        try store.albums.add(Array(members[0...2]), to: "best")
        for anchor in [members[1], members[7]] {
            #expect(throws: AlbumError.self) {
                try store.albums.move([members[1], members[2]], in: "best", to: .before(anchor))
            }
        }
        #expect(try numbers() == [0, 1, 2])
        #expect(try store.albums.move([members[7]], in: "best", to: .index(0)) == 0)
    }

    @Test("Names are checked, and a similar one is suggested")
    func names() throws {
        try store.albums.create("Zürich 2024")
        #expect(try store.albums.all().map(\.name) == ["Zürich 2024", "best"])
        for name in ["", " x", "x ", "a\nb", String(repeating: "x", count: 101)] {
            #expect(throws: AlbumError.badName(name)) { try store.albums.create(name) }
        }
        #expect(throws: AlbumError.exists("best")) { try store.albums.create("best") }
        #expect(throws: AlbumError.exists("best")) { try store.albums.rename("Zürich 2024", to: "best") }
        #expect(throws: AlbumError.unknown("bset", near: "best")) { try store.albums.members(of: "bset") }
        try store.albums.add([members[0]], to: "best")
        try store.albums.rename("best", to: "Best of '24")
        #expect(try numbers("Best of '24") == [0])
        #expect(try store.albums.delete("Best of '24") == 1)
        #expect(try store.albums.all().map(\.name) == ["Zürich 2024"])
    }

    @Test("Albums can be used in selections")
    func selects() throws {
        try store.albums.create("It's")
        try store.albums.add([members[0], members[1]], to: "best")
        try store.albums.add([members[1]], to: "It's")
        func count(_ text: String) throws -> Int {
            try store.photos.count(PhotoFilter(selection: try Selection(text)))
        }
        #expect(try count("album = 'best'") == 3)
        #expect(try count("album = 'best' and look = 'mono'") == 1)
        #expect(try count("album = 'It''s'") == 1)
        #expect(try count("album != 'It''s'") == 2)
        #expect(try count("album like 'B%'") == 3)
        #expect(try count("album is null") == 6)
        #expect(try count("not album = 'best'") == 6)
        #expect(try count("album in ('best', 'It''s')") == 3)
    }

    @Test("An asset removed from the library leaves its albums with its last photo")
    func removal() throws {
        try store.albums.add(members, to: "best")
        let remover = PhotoRemover(store: store, roots: Roots([:]))
        _ = try remover.remove(try remover.plan([.prefix(members[0].asset.description)], look: "mono"))
        #expect(try numbers() == [0, 1, 2, 3, 4, 5, 6, 7])
        _ = try remover.remove(
            try remover.plan([.prefix(members[0].asset.description), .prefix(members[4].asset.description)]))
        #expect(try numbers() == [1, 2, 3, 5, 6, 7])
    }
}

@Suite("Albums of a rebuilt library") struct RebuiltAlbumTests {
    @Test("A rebuild keeps albums, without entries that lost their photo")
    func rebuild() async throws {
        let fixture = try LibraryFixture()
        let shots = (0..<3).map { Shot("photo \($0)", path: "2024/IMG_\($0).CR2") }
        try fixture.merge([try Manifest(try shots.map { try fixture.render($0) }, finished: 1)])
        let members = shots.map { AlbumMember(asset: $0.asset, frame: 0) }
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("best")
            try store.albums.create("empty")
            try store.albums.add([members[2], members[1], members[0]], to: "best")
        }
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(LibraryLayout.photo(shots[1].key))")
        _ = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
        ).run()
        let albums = try LibraryStore(folder: fixture.libraryPath, mode: .read).albums
        #expect(try albums.all().map(\.name) == ["best", "empty"])
        #expect(try albums.members(of: "best") == [members[2], members[0]])
    }
}
