import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Storage
import Telemetry
import Testing
import Upkeep

@testable import Catalogue

@Suite("RAWs that are moved into the library") struct MovedSourceTests {
    let fixture: LibraryFixture
    let sources: Root
    let shot = Shot("a", path: "2019/IMG_1.CR2").with { $0.isCopied = true }

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
    }

    func merge(_ manifests: [Manifest], roots: [String: Root]) throws {
        try MergeDriver(fixture, roots: roots).run(manifests)
    }

    func manifest(_ originals: OriginalsPolicy, _ source: FileStamp) throws -> Manifest {
        try Manifest([try fixture.render(shot)], finished: 1, originals: originals, source: source)
    }

    var hasSource: Bool { FileManager.default.fileExists(atPath: fixture.path + "/archive/2019/IMG_1.CR2") }
    let beside = "photos/archive/2019/IMG_1.CR2"

    @Test("A copied RAW is shown beside its photo, and its source stays")
    func copied() throws {
        try merge([try manifest(.copy, try shot.write(to: sources))], roots: ["archive": sources])
        #expect(hasSource)
        #expect(fixture.files(below: "photos") == [beside, "photos/archive/2019/IMG_1.velvet.jpg"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(fixture.libraryPath)/\(beside)")) == Data(shot.raw))
    }

    @Test("The source of a moved RAW is removed")
    func moved() throws {
        try merge([try manifest(.move, try shot.write(to: sources))], roots: ["archive": sources])
        #expect(!hasSource)
        #expect(fixture.files(below: "photos").contains(beside))
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.removals.all().isEmpty)
    }

    @Test("A manifest alone removes nothing: the coordinator must have accepted the job with move")
    func forged() throws {
        let forged = try manifest(.move, try shot.write(to: sources))
        let driver = MergeDriver(fixture, roots: ["archive": sources])
        try driver.run([forged], confirms: false)
        try driver.run([], confirms: false)
        #expect(hasSource)
        #expect(fixture.files(below: "photos").contains(beside))
        // Now the coordinator confirms it.
        try driver.run([forged])
        #expect(!hasSource)
    }

    @Test("A source that changed since it was planned stays")
    func changed() throws {
        let stamp = try shot.write(to: sources)
        try Data("another photo".utf8).write(to: URL(fileURLWithPath: fixture.path + "/archive/2019/IMG_1.CR2"))
        try merge([try manifest(.move, stamp)], roots: ["archive": sources])
        #expect(hasSource)
    }

    @Test("A source stays if its copy is missing or has another size", arguments: [false, true])
    func copyMissing(isShort: Bool) throws {
        let manifest = try manifest(.move, try shot.write(to: sources))
        let copy = "\(fixture.libraryPath)/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"
        try FileManager.default.removeItem(atPath: copy)
        if isShort { try Data("short".utf8).write(to: URL(fileURLWithPath: copy)) }
        try merge([manifest], roots: ["archive": sources])
        #expect(hasSource)
        #expect(fixture.files(below: "photos") == ["photos/archive/2019/IMG_1.velvet.jpg"])
    }

    @Test("A source stays if its copy is damaged, or if it has other bytes itself with its old size and time")
    func bytes() throws {
        let stamp = try shot.write(to: sources)
        let manifest = try manifest(.move, stamp)
        let copy = "\(fixture.libraryPath)/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"
        let whole = try Data(contentsOf: URL(fileURLWithPath: copy))
        var rotten = whole
        rotten[7] ^= 1
        try rotten.write(to: URL(fileURLWithPath: copy))
        try merge([manifest], roots: ["archive": sources])
        #expect(hasSource)
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.removals.all().count == 1)

        try whole.write(to: URL(fileURLWithPath: copy))
        let path = fixture.path + "/archive/2019/IMG_1.CR2"
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        let other = rotten
        try other.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: path)
        let facts = try sources.facts(of: stamp.file.path.bytes)
        let changed = FileStamp(
            file: stamp.file, sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
        try MergeDriver(fixture, roots: ["archive": sources], cluster: "again").run([try self.manifest(.move, changed)])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == other)
    }

    @Test("A source in an unknown root is removed at a later start that knows the root")
    func unknownRoot() throws {
        try merge([try manifest(.move, try shot.write(to: sources))], roots: [:])
        #expect(hasSource)
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.removals.all().count == 1)
        try merge([], roots: ["archive": sources])
        #expect(!hasSource)
        #expect(try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.removals.all().isEmpty)
    }

    /// A running cataloguer that has merged a moved RAW.
    private func merger(_ manifest: Manifest, archive: Root) throws -> (BatchMerger, LibraryStore) {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        let topic = MergeDriver(fixture).topic
        let merger = BatchMerger(store: store, topic: topic, roots: Roots(["archive": archive]), log: .silent) { _ in }
        try merger.recover()
        _ = try merger.merge(MergeDriver.deliveries([manifest], of: topic), next: [0: 1])
        try merger.confirm([JobResult(of: manifest)], next: [:])
        return (merger, store)
    }

    @Test("A source that could not be removed is removed later by the same cataloguer, if it is still requested")
    func laterTry() throws {
        let manifest = try manifest(.move, try shot.write(to: sources))
        let copy = "\(fixture.libraryPath)/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"
        let whole = try Data(contentsOf: URL(fileURLWithPath: copy))
        try Data(repeating: 1, count: whole.count).write(to: URL(fileURLWithPath: copy))
        let (merger, store) = try merger(manifest, archive: sources)
        #expect(hasSource)
        // It fails again, and waits twice as long.
        try merger.removePostponed(now: .now + .seconds(61))
        try whole.write(to: URL(fileURLWithPath: copy))
        try merger.removePostponed(now: .now + .seconds(100))
        #expect(hasSource)
        let removal = try #require(try store.tables.removals.confirmed().first)
        try store.tables.removals.remove(removal)
        try merger.removePostponed(now: .now + .seconds(200))
        #expect(hasSource)
        // It was forgotten, and is requested again.
        try store.tables.removals.insert(removal)
        _ = try merger.confirm([JobResult(of: manifest)], next: [:])
        #expect(!hasSource)
        try merger.removeNotes()
        #expect(try store.tables.removals.all().isEmpty)
    }

    @Test("A source whose root was not mounted is removed once it is, with its companions")
    func unmounted() throws {
        let stamp = try shot.write(to: sources)
        try write("settings", "IMG_1.xmp")
        let manifest = try manifest(.move, stamp)
        let archive = fixture.path + "/archive"
        // Unmounted, it is an empty folder, which a cataloguer opens.
        try FileManager.default.moveItem(atPath: archive, toPath: archive + "-elsewhere")
        try FileManager.default.createDirectory(atPath: archive, withIntermediateDirectories: false)
        let (merger, store) = try merger(manifest, archive: try Root(path: archive))
        #expect(try store.tables.removals.confirmed().count == 1)
        try FileManager.default.removeItem(atPath: archive)
        try FileManager.default.moveItem(atPath: archive + "-elsewhere", toPath: archive)
        #expect(left == ["IMG_1.CR2", "IMG_1.xmp"])
        try merger.removePostponed(now: .now + .seconds(61))
        try merger.removeNotes()
        #expect(left.isEmpty)
        #expect(fixture.files(below: "photos").contains("photos/archive/2019/IMG_1.xmp"))
        #expect(try store.tables.removals.all().isEmpty)
    }

    @Test("A source that is the library's own file under another root stays")
    func overlap() throws {
        try merge([try manifest(.copy, try shot.write(to: sources))], roots: ["archive": sources])
        let all = try Root(path: fixture.path)
        for path in ["library/\(beside)", "library/\(LibraryLayout.original(shot.asset, fileExtension: "CR2"))"] {
            let facts = try all.facts(of: Array(path.utf8))
            let stamp = FileStamp(
                file: FileReference(root: try #require(RootName("all")), path: try #require(RelativePath(path))),
                sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
            let again = try Manifest(
                [try fixture.render(shot.with { $0.edit = 40 })], finished: 5, originals: .move, source: stamp)
            let merging = MergeDriver(fixture, roots: ["all": all], cluster: path)
            try merging.run([try manifest(.move, stamp), again])
            #expect(FileManager.default.fileExists(atPath: "\(fixture.path)/\(path)"), "\(path)")
        }
        try fixture.expectConsistency("nothing was taken away")
    }

    // MARK: Companions

    private func write(_ text: String, _ name: String) throws {
        _ = try sources.publish(Array(text.utf8), at: Array("2019/\(name)".utf8))
    }

    private var left: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: fixture.path + "/archive/2019")) ?? []).sorted()
    }

    @Test("Sidecars, camera JPEGs and sound follow their RAW", arguments: [OriginalsPolicy.copy, .move])
    func companions(policy: OriginalsPolicy) async throws {
        let names = ["IMG_1.CR2.xmp", "IMG_1.JPG", "IMG_1.WAV", "IMG_1.xmp"]
        for name in names { try write("this is \(name)", name) }
        try write("another shot", "IMG_10.JPG")
        let manifest = try manifest(policy, try shot.write(to: sources))
        try merge([manifest, manifest], roots: ["archive": sources])
        for name in names {
            let copy = "\(fixture.libraryPath)/photos/archive/2019/\(name)"
            #expect(try String(contentsOfFile: copy, encoding: .utf8) == "this is \(name)")
        }
        #expect(left == (policy == .move ? ["IMG_10.JPG"] : (names + ["IMG_1.CR2", "IMG_10.JPG"]).sorted()))
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.isClean && report.peoples == 4, "\(report.findings)")
        let details = try LibraryStore(folder: fixture.libraryPath, mode: .read).assets.details(of: shot.asset)
        #expect(details.flatMap(\.sources).filter { $0.kind == .companion }.count == 4)
    }

    private struct Killed: Error {}

    @Test(
        "With another card's IMG_1, the first one's files follow their RAW, and nothing is left on the card",
        arguments: [false, true])
    func sameNames(isInterrupted: Bool) async throws {
        for (name, text) in [("IMG_1.JPG", "the first JPEG"), ("IMG_1.xmp", "the first settings")] {
            try write(text, name)
        }
        try merge([try manifest(.move, try shot.write(to: sources))], roots: ["archive": sources])
        let second = Shot("b", path: shot.path).with { $0.isCopied = true }
        try write("the second JPEG", "IMG_1.JPG")
        try write("settings", "IMG_1.CR2.xmp")
        let manifest = try Manifest(
            [try fixture.render(second)], finished: 2, originals: .move, source: try second.write(to: sources))
        let next = Shot("c", path: "2019/IMG_3.CR2")
        let batch = [manifest, try Manifest([try fixture.render(next)], finished: 3)]
        if isInterrupted {
            // Files are in place, but nothing is committed.
            #expect(throws: Killed.self) {
                try MergeDriver(fixture, roots: ["archive": sources], cluster: "two").run(batch) { step in
                    if case .merged(next.key) = step { throw Killed() }
                }
            }
        }
        // It may be read again after any of its steps.
        for cluster in ["two", "three"] {
            try MergeDriver(fixture, roots: ["archive": sources], cluster: cluster).run(batch)
        }
        #expect(left.isEmpty)
        let first = "IMG_1.\(shot.asset.description.prefix(16))"
        let texts = [
            "\(first).JPG": "the first JPEG", "\(first).xmp": "the first settings", "IMG_1.JPG": "the second JPEG",
            "IMG_1.CR2.xmp": "settings",
        ]
        for (name, text) in texts {
            let path = "\(fixture.libraryPath)/photos/archive/2019/\(name)"
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text, "\(name)")
        }
        let all = fixture.files(below: "photos").filter { !$0.hasSuffix(".velvet.jpg") && !$0.hasSuffix(".CR2") }
        #expect(all == texts.keys.map { "photos/archive/2019/\($0)" }.sorted())
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: LibraryFixture.program
        ).run()
        #expect(report.isClean && report.peoples == 4, "\(report.findings)")
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .read)
        #expect(try store.assets.companions(of: shot.asset).map(\.path.name.count) == [26, 26])
        #expect(try store.assets.companions(of: second.asset).count == 2)
    }

    @Test("A sidecar that a user edited follows its RAW unchanged; one that another RAW may need stays")
    func editedSidecar() throws {
        try write("settings", "IMG_1.xmp")
        try merge([try manifest(.move, try shot.write(to: sources))], roots: ["archive": sources])
        let folder = "\(fixture.libraryPath)/photos/archive/2019"
        let edited = URL(fileURLWithPath: "\(folder)/IMG_1.xmp")
        try Data("edited".utf8).write(to: edited)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: edited.path)
        let facts = try fixture.library.facts(of: Array("photos/archive/2019/IMG_1.xmp".utf8))
        let second = Shot("b", path: shot.path).with { $0.isCopied = true }
        let manifest = try Manifest(
            [try fixture.render(second)], finished: 2, originals: .move, source: try second.write(to: sources))
        let others = URL(fileURLWithPath: "\(folder)/IMG_1.NEF")
        try Data("another RAW".utf8).write(to: others)
        try MergeDriver(fixture, roots: ["archive": sources], cluster: "two").run([manifest])
        #expect(FileManager.default.fileExists(atPath: edited.path))
        try FileManager.default.removeItem(at: others)
        try second.write(to: sources)
        try MergeDriver(fixture, roots: ["archive": sources], cluster: "three").run([manifest])
        let path = "photos/archive/2019/IMG_1.\(shot.asset.description.prefix(16)).xmp"
        let now = try fixture.library.facts(of: Array(path.utf8))
        #expect(now.id == facts.id && now.modifiedNanoseconds == facts.modifiedNanoseconds)
        #expect(!FileManager.default.fileExists(atPath: edited.path))
    }

    @Test("A companion stays if its names are taken in photos/, if it changed, or if another RAW may need it")
    func companionsThatStay() throws {
        try write("sidecar", "IMG_1.xmp")
        try write("sound", "IMG_1.WAV")
        _ = try fixture.library.publish(Array("mine".utf8), at: Array("photos/archive/2019/IMG_1.xmp".utf8))
        let marked = "photos/archive/2019/IMG_1.\(shot.asset.description.prefix(16)).xmp"
        _ = try fixture.library.publish(Array("mine, too".utf8), at: Array(marked.utf8))
        try merge([try manifest(.move, try shot.write(to: sources))], roots: ["archive": sources])
        #expect(left == ["IMG_1.xmp"])
        let mine = fixture.libraryPath + "/photos/archive/2019/IMG_1.xmp"
        #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")

        let other = Shot("b", path: "2019/IMG_2.CR2").with { $0.isCopied = true }
        try write("another RAW of the same name", "IMG_2.NEF")
        try write("for both", "IMG_2.xmp")
        let manifest = try Manifest(
            [try fixture.render(other)], finished: 1, originals: .move, source: try other.write(to: sources))
        try MergeDriver(fixture, roots: ["archive": sources], cluster: "two").run([manifest])
        #expect(left == ["IMG_1.xmp", "IMG_2.NEF", "IMG_2.xmp"])
        #expect(fixture.files(below: "photos").contains("photos/archive/2019/IMG_2.xmp"))
    }
}
