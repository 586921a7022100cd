import Database
import Digest
import LibraryFixtures
import SeededRandom
import Testing

@testable import Albums
@testable import LibraryTables
@testable import PhotoTree
@testable import Selection

@Suite("Numbers of RAWs") struct NumberTests {
    @Test(
        "A library from before RAWs had numbers is migrated with all its rows",
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
        // A reader reports who migrates it.
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

    @Test("They are assigned in order, and revoked with a transaction", arguments: LibraryFixture.BackEnd.here)
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

    @Test(
        "Each RAW has one permanent number for all processes, also with sorted insertions and rollbacks",
        arguments: LibraryFixture.BackEnd.here)
    func sorting(on backEnd: LibraryFixture.BackEnd) throws {
        struct Failure: Error {}
        var random = SeededGenerator()
        print("Numbers of RAWs: seed \(random.seed)")
        let fixture = try LibraryFixture(on: backEnd)
        do { _ = try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        let lock = try LibraryLock(folder: fixture.libraryPath)
        var writer = try LibraryDatabase(folder: fixture.libraryPath, mode: .write, lock: lock)
        let reader = try LibraryDatabase(folder: fixture.libraryPath, mode: .read)
        let connection = try fixture.connection()
        func count(_ table: String) throws -> Int64 {
            try connection.first("SELECT count(*) FROM \(table)") { $0.integer(0) } ?? 0
        }
        var numbers: [SHA256Value: Int64] = [:]
        var given: [SHA256Value] = []
        var sorts = 0
        while given.count < 11_000 {
            // Some exist already, and some occur twice.
            let new = (0..<Int.random(in: 1...1500, using: &random)).map { number in
                SHA256Value(of: Array("RAW \(given.count + number)".utf8))
            }
            let batch = (new + given.suffix(3) + new.prefix(2) + given.prefix(3)).shuffled(using: &random)
            let sorted = try count("sorted_assets")
            if Int.random(in: 0..<4, using: &random) == 0 {
                #expect(throws: Failure.self) {
                    try writer.transaction {
                        _ = try writer.giveNumbers(to: batch)
                        throw Failure()
                    }
                }
                #expect(try count("sorted_assets") == sorted)
                #expect(try writer.numbers(of: new).isEmpty && reader.number(of: new[0]) == 0)
            }
            let found = try writer.transaction { try writer.giveNumbers(to: batch) }
            for asset in given where found[asset] != nil { #expect(found[asset] == numbers[asset]) }
            numbers.merge(found) { $1 }
            given += new
            if try count("sorted_assets") != sorted { sorts += 1 }
            #expect(try count("sorted_assets") + count("recent_assets") == count("assets"))
            let asked = given.shuffled(using: &random).prefix(200) + [SHA256Value(of: [1])]
            let expected = numbers.filter { asked.contains($0.key) }
            #expect(try writer.numbers(of: asked) == expected)
            #expect(try reader.numbers(of: asked) == expected)
            for asset in asked.suffix(5) { #expect(try reader.number(of: asset) == numbers[asset] ?? 0) }
            // Another process continues.
            if Int.random(in: 0..<3, using: &random) == 0 {
                writer = try LibraryDatabase(folder: fixture.libraryPath, mode: .write, lock: lock)
            }
        }
        #expect(sorts >= 2)
        #expect(Set(numbers.values) == Set(1...Int64(given.count)))
    }

    @Test("A RAW whose number is not found by its hash ends a walk with an error, instead of restarting it")
    func lost() throws {
        let fixture = try LibraryFixture(on: .file)
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        try fixture.connection().script("DELETE FROM recent_assets")
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        let page = try store.tables.files.renditionFiles(after: nil, limit: 2)
        let last = try #require(page.last?.id)
        for walk in [
            { _ = try store.tables.files.renditionFiles(after: last, limit: 2) },
            { _ = try store.tables.files.renditionOrigins(after: last, limit: 2) },
        ] {
            let error = #expect(throws: InvalidRow.self) { try walk() }
            #expect(error?.description.contains("rawmill library rebuild") == true, "\(String(describing: error))")
        }
    }

    @Test("A library from before sorted hashes is migrated", arguments: LibraryFixture.BackEnd.here)
    func sortedLater(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        let manifests = try fixture.variedManifests(sources: try fixture.root("archive"))
        try fixture.merge(manifests)
        let content = try fixture.content()
        try fixture.loseSortedAssets()
        do { _ = try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("carried forward")
        try fixture.merge(manifests)
        #expect(try fixture.content() == content)
    }
}
