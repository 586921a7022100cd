import Digest
import LibraryFixtures
import Testing

@testable import Library

@Suite("Numbers of RAWs") struct NumberTests {
    @Test(
        "A library from before RAWs had numbers is carried forward with all its rows",
        arguments: LibraryFixture.BackEnd.here)
    func carriedForward(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        let manifests = try fixture.variedManifests(sources: try fixture.root("archive"))
        try fixture.merge(manifests)
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("best")
            var members: Set<AlbumMember> = []
            try store.photos.each { members.insert(AlbumMember(asset: $0.asset, frame: $0.frame)) }
            #expect(try store.albums.add(Array(members.prefix(2)), to: "best") == 2)
        }
        let content = try fixture.content()
        try fixture.loseNumbers()
        // Who only reads says who carries it forward.
        let refusal = #expect(throws: LibraryError.self) {
            _ = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        }
        #expect(refusal?.description.contains("rawmill convert") == true)

        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            #expect(try store.albums.all().map(\.count) == [2])
        }
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("carried forward")
        try fixture.merge(manifests)
        #expect(try fixture.content() == content)
    }

    @Test("They are given in order, and taken back with a transaction", arguments: LibraryFixture.BackEnd.here)
    func rollback(on backEnd: LibraryFixture.BackEnd) throws {
        struct Failure: Error {}
        let fixture = try LibraryFixture(on: backEnd)
        do { _ = try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        let lock = try LibraryLock(folder: fixture.libraryPath)
        let database = try LibraryDatabase(folder: fixture.libraryPath, mode: .write, lock: lock)
        let assets = (0..<5).map { SHA256Value(of: [UInt8($0)]) }
        #expect(throws: Failure.self) {
            try database.transaction {
                let numbers = try database.giveNumbers(to: [assets[3], assets[0], assets[3]])
                #expect(numbers == [assets[3]: 1, assets[0]: 2])
                throw Failure()
            }
        }
        #expect(try database.number(of: assets[3]) == 0)
        try database.transaction {
            let first = try database.giveNumber(to: assets[4])
            #expect(first == 1)
            let all = try database.giveNumbers(to: assets)
            #expect(all[assets[0]] == 2)
        }
        #expect(try database.numbers(of: assets + [SHA256Value(of: [9])]).count == 5)
        #expect(try database.number(of: assets[4]) == 1)
    }
}
