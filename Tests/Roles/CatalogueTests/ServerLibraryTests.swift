import Broker
import Digest
import ExternalTools
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import PostgreSQLServer
import Records
import SeededRandom
import Selection
import Storage
import Synchronization
import Telemetry
import Testing
import Upkeep

@testable import Catalogue

@Suite("A library whose tables are on a server", .needs(.postgreSQL))
struct ServerLibraryTests {
    /// The library in a file after the manifests.
    private func expected() throws -> (content: [String], shown: [String]) {
        let fixture = try LibraryFixture(on: .file)
        let archive = try fixture.root("archive")
        try MergeDriver(fixture, roots: ["archive": archive]).run(try fixture.variedManifests(sources: archive))
        return (try fixture.content(), fixture.files(below: "photos"))
    }

    private func expectEqual(_ fixture: LibraryFixture, _ comment: Comment) throws {
        let expected = try expected()
        #expect(try fixture.content() == expected.content, comment)
        #expect(fixture.files(below: "photos") == expected.shown, comment)
        try fixture.expectConsistency(comment)
        #expect(!FileManager.default.fileExists(atPath: fixture.libraryPath + "/library.sqlite"))
    }

    @Test("It equals one in a file, for any order and repetition of manifests", arguments: 1...4)
    func order(seed: Int) throws {
        let fixture = try LibraryFixture(on: .server)
        let archive = try fixture.root("archive")
        let manifests = try fixture.variedManifests(sources: archive)
        var numbers = SeededGenerator(seed: UInt64(seed))
        let shuffled = (manifests + manifests.shuffled(using: &numbers).prefix(7)).shuffled(using: &numbers)
        try MergeDriver(fixture, roots: ["archive": archive])
            .run(seed == 1 ? manifests : shuffled, batch: Int.random(in: 1...6, using: &numbers))
        try expectEqual(fixture, "seed \(seed)")
    }

    @Test("It is rebuilt from its files, with the old tables and without them", arguments: [false, true])
    func rebuild(isLost: Bool) async throws {
        let fixture = try LibraryFixture(on: .server)
        let archive = try fixture.root("archive")
        try MergeDriver(fixture, roots: ["archive": archive]).run(try fixture.variedManifests(sources: archive))
        let before = try fixture.content()
        if isLost { try fixture.loseDatabase() }
        let report = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.keepsOffsets == !isLost)
        #expect(
            try fixture.content().filter { !$0.hasPrefix("sightings") } == before.filter { !$0.hasPrefix("sightings") })
        try fixture.expectConsistency("rebuilt")
    }

    @Test("Its server may be killed at any step of a merge: nothing is lost or duplicated")
    func killedServer() throws {
        let server = try PostgreSQLServer()
        let fixture = try LibraryFixture(on: .server, of: server)
        let archive = try fixture.root("archive")
        let manifests = try fixture.variedManifests(sources: archive)
        var random = SeededGenerator()
        print("killed server: seed \(random.seed)")
        for round in 0..<4 {
            var left = Int.random(in: 1...12, using: &random) + 4 * round
            let error = #expect(throws: LibraryError.self, "round \(round)") {
                try MergeDriver(fixture, roots: ["archive": archive]).run(manifests, batch: 3) { _ in
                    left -= 1
                    if left == 0 { try server.kill() }
                }
                // The merge had finished.
                if left > 0 { throw LibraryError.older(folder: "") }
            }
            #expect(error?.kind == .unavailable || left > 0)
            if left <= 0 { try server.start() }
        }
        try MergeDriver(fixture, roots: ["archive": archive]).run(manifests, batch: 3)
        try expectEqual(fixture, "after all")
    }

    @Test("A cataloguer that begins while its server is away waits for it, and reports the cause and the end once")
    func absentServer() async throws {
        let server = try PostgreSQLServer()
        let fixture = try LibraryFixture(on: .server, of: server)
        _ = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try server.kill()
        var settings = CatalogueSettings(maxWait: .milliseconds(20), retryPause: .milliseconds(20))
        settings.isService = true
        settings.isShared = true
        let lines = LogLines()
        let cataloguer = Cataloguer(
            transport: try await EmbeddedBroker.inMemory(), library: fixture.libraryPath, roots: Roots([:]),
            settings: settings, log: Logger(level: .info, sink: lines))
        async let isOpen = cataloguer.openLibrary()
        while lines.all.isEmpty { try await Task.sleep(for: .milliseconds(20)) }
        try await Task.sleep(for: .milliseconds(400))
        #expect(lines.all.count == 1, "\(lines.all)")
        #expect(lines.all.first?.contains("event=storage.unavailable") == true, "\(lines.all)")
        try server.start()
        #expect(try await isOpen)
        // A starting server refuses connections for another reason than an absent one.
        #expect(lines.all.dropLast().allSatisfy { $0.contains("event=storage.unavailable") }, "\(lines.all)")
        #expect(lines.all.last?.contains("event=outage.ended milliseconds=") == true, "\(lines.all)")
        await cataloguer.close()

        try server.kill()
        let stopped = Cataloguer(
            transport: try await EmbeddedBroker.inMemory(), library: fixture.libraryPath, roots: Roots([:]),
            settings: settings)
        async let wasOpened = stopped.openLibrary()
        stopped.stop()
        #expect(try await !wasOpened)
    }

    private final class LogLines: LineSink {
        private let written = Mutex<[String]>([])
        var all: [String] { written.withLock { $0 } }
        func write(line: String) { written.withLock { $0.append(line) } }
    }

    /// The end of a cataloguer.
    private struct Death: Error {}

    @Test(
        "Several cataloguers share it, and one may die at any step: nothing is lost or duplicated",
        .timeLimit(.minutes(5)), arguments: 1...3)
    func shared(seed: Int) async throws {
        let fixture = try LibraryFixture(on: .server)
        let archive = try fixture.root("archive")
        let manifests = try fixture.variedManifests(sources: archive)
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
        var settings = CatalogueSettings(maxBatchCount: 2, maxWait: .milliseconds(20), retryPause: .milliseconds(5))
        settings.isShared = true
        settings.isService = true
        let left = Mutex(3 * seed)
        let roots = Roots(["archive": archive])
        let dying = Cataloguer(broker, fixture.libraryPath, nil, roots, settings, .silent) { _ in
            let isDead = left.withLock { left in
                left -= 1
                return left <= 0
            }
            if isDead { throw Death() }
        }
        let living = Cataloguer(transport: broker, library: fixture.libraryPath, roots: roots, settings: settings)
        async let end: Void = {
            _ = try? await dying.run()
            await dying.close()
        }()
        let producer = try await broker.producer()
        let records = (manifests + manifests).map { Record(key: $0.source.fingerprint.bytes, value: $0.encoded()) }
        _ = try await producer.send([records[0]], to: Topics.manifests)
        // It has work before the other comes, because it might never get any, and survive.
        while left.withLock({ $0 }) == 3 * seed { try await Task.sleep(for: .milliseconds(5)) }
        try await living.open()
        async let totals = living.run()
        for record in records.dropFirst() { _ = try await producer.send([record], to: Topics.manifests) }
        // Everything is sent again until it is dead. If the other has all its partitions by then, it is stopped.
        let deadline = ContinuousClock.now + .seconds(10)
        while left.withLock({ $0 }) > 0, ContinuousClock.now < deadline {
            for record in records { _ = try await producer.send([record], to: Topics.manifests) }
            try await Task.sleep(for: .milliseconds(200))
        }
        await producer.close()
        dying.stop()
        await end
        // It has taken over the other's partitions.
        repeat { try await Task.sleep(for: .milliseconds(50)) } while try await !living.progress().isCaughtUp
        try await Task.sleep(for: .milliseconds(300))
        repeat { try await Task.sleep(for: .milliseconds(50)) } while try await !living.progress().isCaughtUp
        living.stop()
        _ = try await totals
        await living.close()
        let expected = try expected()
        #expect(try fixture.content() == expected.content, "seed \(seed)")
        #expect(fixture.files(below: "photos") == expected.shown, "seed \(seed)")
        try fixture.expectConsistency("seed \(seed)")
    }

    @Test("It accepts paths of any length that Linux allows, like one in a file")
    func longPaths() throws {
        var numbers = SeededGenerator(seed: 3)
        func name(_ count: Int) -> String {
            String(
                (0..<count).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement(using: &numbers) ?? "a" })
        }
        let folder = (0..<19).map { _ in name(199) }.joined(separator: "/")
        let paths = ["\(folder)/\(name(195)).CR2", "\(folder)/\(name(195)).CR2", "\(folder)/\(name(195)).CR2"]
        #expect(paths.allSatisfy { $0.utf8.count == 3999 })
        var contents: [[String]] = []
        for backEnd in [LibraryFixture.BackEnd.file, .server] {
            let fixture = try LibraryFixture(on: backEnd)
            defer {
                let removal = Process()
                removal.executableURL = URL(fileURLWithPath: "/bin/rm")
                removal.arguments = ["-rf", fixture.path]
                try? removal.run()
                removal.waitUntilExit()
            }
            let driver = MergeDriver(fixture)
            var manifests: [Manifest] = []
            for (index, path) in paths.enumerated() {
                // One RAW at two paths, and another one.
                let shot = Shot(index == 1 ? "0" : "\(index)", path: path)
                manifests.append(try Manifest([try fixture.render(shot)], finished: Int64(index + 1)))
            }
            try driver.run(manifests)
            try driver.run(manifests + manifests)
            contents.append(try fixture.content())
            var shown: [RelativePath] = []
            try LibraryStore(folder: fixture.libraryPath, mode: .read).photos.each { shown.append($0.path) }
            #expect(shown.count == 3 && shown == shown.sorted())
            for photo in shown { #expect(try fixture.library.factsIfPresent(of: photo.bytes) != nil) }
        }
        #expect(contents[0] == contents[1] && contents[0].count > 5)
    }

    @Test("A second writer is refused while the first is there")
    func secondWriter() throws {
        let fixture = try LibraryFixture(on: .server)
        let first = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        let error = #expect(throws: LibraryError.self) { try LibraryStore(folder: fixture.libraryPath, mode: .write) }
        #expect(error?.kind == .busy)
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).counts().photos == 0)
        withExtendedLifetime(first) {}
    }

    @Test("An option cannot move a library from a file to a server, or from one server to another")
    func elsewhere() throws {
        let address = try PostgreSQLServer.shared.get().address()
        let file = try LibraryFixture(on: .file)
        _ = try LibraryStore(folder: file.libraryPath, mode: .write)
        let refused = #expect(throws: LibraryError.self) { try LibraryServer.choose(address, for: file.libraryPath) }
        #expect(refused?.description.contains("library.sqlite") == true)
        let server = try LibraryFixture(on: .server)
        try LibraryServer.choose(address, for: server.libraryPath)
        let other = try PostgreSQLServer.shared.get().address(user: "another")
        #expect(throws: LibraryError.self) { try LibraryServer.choose(other, for: server.libraryPath) }
    }
}
