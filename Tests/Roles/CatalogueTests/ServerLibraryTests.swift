import ExternalTools
import Foundation
import Library
import LibraryFixtures
import Manifests
import PostgreSQLServer
import SeededRandom
import Storage
import Testing

@testable import Catalogue

@Suite("A library whose tables are on a server", .needs(.postgreSQL))
struct ServerLibraryTests {
    /// What a library in a file has after the manifests.
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

    @Test("It has what one in a file has, in whatever order and how often manifests come", arguments: 1...4)
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

    @Test("Its server may be killed at any step of a merge: nothing is lost, and nothing is there twice")
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
                // The merge was over before.
                if left > 0 { throw LibraryError.older(folder: "") }
            }
            #expect(error?.kind == .unavailable || left > 0)
            if left <= 0 { try server.start() }
        }
        try MergeDriver(fixture, roots: ["archive": archive]).run(manifests, batch: 3)
        try expectEqual(fixture, "after all")
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

    @Test("A library in a file does not go to a server by an option, nor one on a server to another")
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
