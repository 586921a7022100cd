import Albums
import Campaigns
import Database
import ExternalTools
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import SeededRandom
import Storage
import Testing
import Upkeep

@testable import Catalogue

@Suite("Backups of a library")
struct BackupTests {
    private let fixture: LibraryFixture
    private let archive: Root
    private let manifests: [Manifest]

    init() throws { (fixture, archive, manifests) = try Self.library(on: .file) }

    private static func library(on backEnd: LibraryFixture.BackEnd) throws -> (LibraryFixture, Root, [Manifest]) {
        let fixture = try LibraryFixture(on: backEnd)
        let archive = try fixture.root("archive")
        return (fixture, archive, try fixture.variedManifests(sources: archive))
    }

    private func backUp(_ fixture: LibraryFixture, as name: String) throws -> String {
        let path = "\(fixture.path)/\(name)"
        try BackupFolder.make(at: path) { try LibraryBackup.write(fixture.libraryPath, to: $0) }
        return path
    }

    private func restore(_ fixture: LibraryFixture, from path: String) throws -> String? {
        var restore = try LibraryRestore(library: fixture.libraryPath, from: BackupFolder(existing: path))
        try restore.run()
        return restore.kept
    }

    @Test(
        "A backup taken at any step of a merge is restored, and reading on leads to the same library",
        .night,
        arguments: LibraryFixture.BackEnd.here, 1...6)
    func replay(backEnd: LibraryFixture.BackEnd, seed: UInt64) throws {
        let (fixture, archive, manifests) = try Self.library(on: backEnd)
        var random = SeededGenerator(seed: seed)
        let driver = MergeDriver(fixture, roots: ["archive": archive])
        // Repeated manifests are meanwhile shown as another rendition.
        let all = manifests + manifests.shuffled(using: &random)
        var left = Int.random(in: 1...25, using: &random)
        var backup: String?
        try driver.run(all, batch: 3) { _ in
            left -= 1
            if left == 0 { backup = try self.backUp(fixture, as: "backup") }
        }
        let taken = try #require(backup, "seed \(seed)")
        let (content, shown) = (try fixture.content(), fixture.files(below: "photos"))

        #expect(try restore(fixture, from: taken) != nil)
        #expect(try fixture.content() != content, "seed \(seed): the backup is older")
        try driver.run(all, batch: 2)
        #expect(try fixture.content() == content, "seed \(seed)")
        #expect(fixture.files(below: "photos") == shown, "seed \(seed)")
        try fixture.expectConsistency("seed \(seed)")
    }

    @Test("After a restore, a rebuild adds what was made since")
    func rebuild() async throws {
        let driver = MergeDriver(fixture, roots: ["archive": archive])
        try driver.run(Array(manifests.prefix(5)))
        let backup = try backUp(fixture, as: "backup")
        try driver.run(manifests)
        let (content, shown) = (try fixture.content(), fixture.files(below: "photos"))
        _ = try restore(fixture, from: backup)
        _ = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 2, metadataProgram: LibraryFixture.program
        ).run()
        #expect(
            try fixture.content().filter { !$0.hasPrefix("sightings") } == content.filter { !$0.hasPrefix("sightings") }
        )
        #expect(fixture.files(below: "photos") == shown)
    }

    @Test("A user's file with a photo's name keeps it when a backup is restored")
    func peoplesFile() throws {
        let driver = MergeDriver(fixture, roots: ["archive": archive])
        let backup = try { () -> String in
            try driver.run(Array(manifests.prefix(1)))
            return try backUp(fixture, as: "backup")
        }()
        try driver.run(manifests)
        let name = try #require(fixture.files(below: "photos").last { $0.hasSuffix(".jpg") })
        let path = "\(fixture.libraryPath)/\(name)"
        try FileManager.default.removeItem(atPath: path)
        try Data("mine".utf8).write(to: URL(filePath: path))
        _ = try restore(fixture, from: backup)
        try driver.run(manifests)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
    }

    @Test("It has albums and campaigns, and sha256sum agrees with its list")
    func contents() throws {
        try MergeDriver(fixture, roots: ["archive": archive]).run(manifests)
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("best")
        }
        _ = try Campaigns(library: fixture.libraryPath)
        let backup = try backUp(fixture, as: "backup")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: backup).sorted() == [
                "SHA256SUMS", "campaigns.sqlite", "library.id", "library.sqlite",
            ])
        let judge = Process()
        judge.executableURL = URL(filePath: "/usr/bin/sha256sum")
        judge.arguments = ["--check", "--strict", "--quiet", "SHA256SUMS"]
        judge.currentDirectoryURL = URL(filePath: backup)
        try judge.run()
        judge.waitUntilExit()
        #expect(judge.terminationStatus == 0)

        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("later")
        }
        #expect(try restore(fixture, from: backup) == "library.sqlite.old in its folder")
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).albums.all().map(\.name) == ["best"])
    }

    @Test("A backup is restored if the tables are lost or damaged", arguments: [false, true])
    func lost(isDamaged: Bool) throws {
        try MergeDriver(fixture, roots: ["archive": archive]).run(manifests)
        let content = try fixture.content()
        let backup = try backUp(fixture, as: "backup")
        if isDamaged { try fixture.damageDatabase() } else { try fixture.loseDatabase() }
        #expect(try restore(fixture, from: backup) == (isDamaged ? "library.sqlite.old in its folder" : nil))
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("put back")
    }

    @Test("A damaged backup, one of another library, and a folder without photos change nothing")
    func refusals() throws {
        try MergeDriver(fixture, roots: ["archive": archive]).run(manifests)
        let content = try fixture.content()
        let backup = try backUp(fixture, as: "backup")
        #expect(throws: LibraryError.self) { try backUp(fixture, as: "backup") }

        let (other, _, _) = try Self.library(on: .file)
        _ = try LibraryStore(folder: other.libraryPath, mode: .write)
        let foreign = try backUp(other, as: "backup")
        #expect(throws: LibraryError.self) { try restore(fixture, from: foreign) }
        let empty = try fixture.root("empty")
        #expect(throws: LibraryError.self) {
            try LibraryRestore(library: empty.path, from: BackupFolder(existing: backup))
        }
        #expect(throws: LibraryError.self) { try BackupFolder(existing: empty.path) }

        let file = try FileHandle(forWritingTo: URL(filePath: "\(backup)/library.sqlite"))
        try file.seek(toOffset: 5000)
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.close()
        let error = #expect(throws: LibraryError.self) { try restore(fixture, from: backup) }
        #expect(error?.description.contains("its file library.sqlite was changed") == true)
        #expect(try fixture.content() == content)
    }
}
