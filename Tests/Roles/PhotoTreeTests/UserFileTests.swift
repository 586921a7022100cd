import Database
import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Selection
import Storage
import Synchronization
import Testing
import Upkeep

@Suite("Users' files below photos/") struct UserFileTests {
    let fixture: LibraryFixture
    let shot = Shot("a", path: "2019/IMG_1.CR2")
    let name = "photos/archive/2019/IMG_1.velvet.jpg"
    let otherName = "photos/archive/2019/IMG_1.CR2.velvet.jpg"

    init() throws { fixture = try LibraryFixture() }

    func at(_ path: some CustomStringConvertible) -> String { "\(fixture.libraryPath)/\(path)" }

    func bytes(_ path: some CustomStringConvertible) -> Data? { FileManager.default.contents(atPath: at(path)) }

    var shown: [String] { fixture.files(below: "photos") }

    /// Merges a newer edit of the look, which takes its name in `photos/`.
    @discardableResult
    func merge(_ shot: Shot, finished: Int64) throws -> Rendition {
        let rendition = try fixture.render(shot)
        try fixture.merge([try Manifest([rendition], finished: finished)])
        return rendition
    }

    /// Changes a photo as a rating program does: other bytes, same identity.
    func edit(_ path: String, inPlace: Bool) throws -> Data {
        var edited = try #require(bytes(path))
        edited.append(contentsOf: Array("rating 5".utf8))
        if inPlace {
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: at(path)))
            try handle.write(contentsOf: edited)
            try handle.close()
        } else {
            try edited.write(to: URL(fileURLWithPath: at(path)), options: .atomic)
        }
        return edited
    }

    func verify(repair: Bool = false, adopt: Bool = false) async throws -> (LibraryVerification.Report, [String]) {
        let findings = Mutex<[String]>([])
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: LibraryFixture.program
        ).run(
            repair: repair, adoptsEdits: adopt,
            onFinding: { finding in findings.withLock { $0.append("\(finding.kind.rawValue) \(finding.file.path)") } })
        return (report, findings.withLock { $0 })
    }

    @Test("An edited photo is not replaced: the new one gets another name", arguments: [false, true])
    func editedStays(inPlace: Bool) throws {
        try merge(shot, finished: 1)
        let edited = try edit(name, inPlace: inPlace)
        let newer = try merge(shot.with { $0.edit = 50 }, finished: 2)
        #expect(bytes(name) == edited)
        #expect(shown == [otherName, name])
        #expect(bytes(otherName) == bytes(newer.photo.path))
        // The next one replaces the one before it.
        let newest = try merge(shot.with { $0.edit = 40 }, finished: 3)
        #expect(shown == [otherName, name])
        #expect(bytes(otherName) == bytes(newest.photo.path) && bytes(name) == edited)
    }

    @Test("An editor that writes a photo in place does not reach the object")
    func objectIsOutOfReach() throws {
        let rendition = try merge(shot, finished: 1)
        let before = bytes(rendition.photo.path)
        _ = try edit(name, inPlace: true)
        #expect(bytes(rendition.photo.path) == before)
    }

    @Test("A foreign file, a folder and a link under a photo's name stay", arguments: ["file", "folder", "link"])
    func foreignStays(kind: String) throws {
        let files = FileManager.default
        try files.createDirectory(atPath: at("photos/archive/2019"), withIntermediateDirectories: true)
        switch kind {
        case "file": try Data("mine".utf8).write(to: URL(fileURLWithPath: at(name)))
        case "folder": try files.createDirectory(atPath: at(name), withIntermediateDirectories: true)
        default: try files.createSymbolicLink(atPath: at(name), withDestinationPath: "/dev/null")
        }
        let rendition = try merge(shot, finished: 1)
        #expect(bytes(otherName) == bytes(rendition.photo.path))
        let attributes = try files.attributesOfItem(atPath: at(name))
        let expected: [String: FileAttributeType] = [
            "file": .typeRegular, "folder": .typeDirectory, "link": .typeSymbolicLink,
        ]
        #expect(attributes[.type] as? FileAttributeType == expected[kind])
    }

    @Test("A photo whose name a foreign file has is listed with that name until it gets it")
    func occupiedNames() async throws {
        func photos() throws -> [String] {
            var photos: [String] = []
            try LibraryStore(folder: fixture.libraryPath, mode: .read).photos.each {
                photos.append("\($0.path) \($0.occupied.map(\.description) ?? "-")")
            }
            return photos
        }
        let foreign = at("photos/archive/2019/IMG_1.velvet.jpg")
        try FileManager.default.createDirectory(
            atPath: at("photos/archive/2019"), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: foreign))
        let shot = Shot("a", path: "2019/IMG_1.CR2")
        _ = try merge(shot, finished: 1)
        _ = try merge(Shot("b", path: "2019/IMG_2.CR2"), finished: 2)
        let own = "photos/archive/2019/IMG_1.velvet.jpg"
        let other = "photos/archive/2019/IMG_1.CR2.velvet.jpg"
        let second = "photos/archive/2019/IMG_2.velvet.jpg -"
        #expect(try photos() == ["\(other) \(own)", second])
        let details = try LibraryStore(folder: fixture.libraryPath, mode: .read).assets.details(of: shot.asset)
        #expect(details.first?.revisions.first?.occupied?.description == own)
        try FileManager.default.removeItem(atPath: foreign)
        _ = try await verify(repair: true)
        #expect(try photos() == ["\(own) -", second])
    }

    @Test("However often users edit the photo, each version stays and the newest photo finds a name")
    func manyEdits() throws {
        var kept: [Data] = []
        for round in 0..<7 {
            let rendition = try merge(shot.with { $0.edit = -round }, finished: Int64(round + 1))
            let current = try #require(shown.first { bytes($0) == bytes(rendition.photo.path) })
            if round < 6 { kept.append(try edit(current, inPlace: false)) }
        }
        let all = shown.compactMap { bytes($0) }
        #expect(all.count == 7 && kept.allSatisfy { all.contains($0) })
    }

    @Test("An edited photo whose name is given up stays")
    func renamed() throws {
        try merge(shot, finished: 1)
        let edited = try edit(name, inPlace: false)
        try merge(shot.with { $0.path = "2020/IMG_1.CR2" }, finished: 2)
        #expect(bytes(name) == edited)
        #expect(shown.contains("photos/archive/2020/IMG_1.velvet.jpg"))
    }

    @Test("Verify distinguishes an edited photo from a damaged one, and can adopt the edit")
    func verified() async throws {
        let rendition = try merge(shot, finished: 1)
        let other = try merge(Shot("b", path: "2019/IMG_2.CR2"), finished: 1)
        let edited = try edit(name, inPlace: false)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: at(other.photo.path)))
        try handle.write(contentsOf: Data([0, 0, 0]))
        try handle.close()
        let (report, findings) = try await verify()
        #expect(Set(findings) == ["photo-edited \(name)", "photo-changed \(other.photo.path)"])
        #expect(!report.isClean)

        let (adopted, _) = try await verify(repair: true, adopt: true)
        #expect(adopted.isClean)
        let (clean, none) = try await verify()
        #expect(none.isEmpty && clean.peoples == 1 && bytes(name) == edited)
        guard
            case .found(let details) = try LibraryStore(folder: fixture.libraryPath, mode: .read).assets.find(
                .prefix(shot.asset.description))
        else { throw CocoaError(.fileNoSuchFile) }
        #expect(details.first?.resources.first { $0.kind == .editedPhoto }?.digest == SHA256Value(of: Array(edited)))

        try merge(shot.with { $0.edit = 50 }, finished: 2)
        #expect(bytes(name) == edited && shown.contains(otherName))
        try FileManager.default.removeItem(atPath: at(name))
        _ = try await verify(repair: true)
        #expect(!shown.contains(otherName) && shown.contains(name), "the name is free again")
        #expect(bytes(rendition.photo.path) != nil)
    }

    @Test("An edit with a newer photo beside it can also be adopted")
    func adoptedLater() async throws {
        try merge(shot, finished: 1)
        let edited = try edit(name, inPlace: false)
        try merge(shot.with { $0.edit = 50 }, finished: 2)
        #expect(try await verify().1 == ["photo-edited \(name)"])
        #expect(try await verify(adopt: true).0.isClean)
        #expect(try await verify().1.isEmpty && bytes(name) == edited)
    }

    @Test(
        "A library of hard links from earlier versions works, and a repair gives each photo a separate file"
    )
    func hardLinks() async throws {
        let rendition = try merge(shot, finished: 1)
        let second = try merge(Shot("b", path: "2019/IMG_2.CR2"), finished: 1)
        let files = FileManager.default
        for (path, object) in [
            (name, rendition.photo.path), ("photos/archive/2019/IMG_2.velvet.jpg", second.photo.path),
        ] {
            try files.removeItem(atPath: at(path))
            try files.linkItem(atPath: at(object), toPath: at(path))
        }
        do {
            let database = try fixture.connection()
            try database.script("UPDATE placed SET inode = NULL, bytes = NULL, modified = NULL, changed = NULL")
        }
        let (before, findings) = try await verify()
        #expect(findings.isEmpty && before.sharedPhotos == 2)
        try merge(shot.with { $0.edit = 50 }, finished: 2)
        #expect(shown == [name, "photos/archive/2019/IMG_2.velvet.jpg"], "the link was Rawmill's, and is replaced")
        #expect(bytes(rendition.photo.path) != nil)
        _ = try await verify(repair: true)
        let (after, _) = try await verify()
        #expect(after.sharedPhotos == 0 && after.isClean)
        try fixture.expectConsistency("migrated")
    }

    @Test("A rebuild leaves users' files unchanged, with the old database and without it", arguments: [false, true])
    func rebuilt(isLost: Bool) async throws {
        try merge(shot, finished: 1)
        let edited = try edit(name, inPlace: false)
        try merge(shot.with { $0.edit = 50 }, finished: 2)
        if isLost { try fixture.loseDatabase() }
        _ = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program)
            .run()
        #expect(bytes(name) == edited)
        #expect(shown == [otherName, name])
    }

    /// The hashes of an asset's edits that `library show` lists.
    private func adoptedEdits(of shot: Shot) throws -> [SHA256Value] {
        try LibraryStore(folder: fixture.libraryPath, mode: .read).assets.details(of: shot.asset)
            .flatMap(\.resources).filter { $0.kind == .editedPhoto }.compactMap(\.digest)
    }

    @Test(
        "A rebuild keeps adopted edits, with the old database and without it, beside a newer photo and alone",
        arguments: [false, true], [false, true])
    func rebuiltEdits(isLost: Bool, isAlone: Bool) async throws {
        try merge(shot, finished: 1)
        let edited = try edit(name, inPlace: false)
        if !isAlone { try merge(shot.with { $0.edit = 50 }, finished: 2) }
        #expect(try await verify(adopt: true).0.isClean)
        #expect(try adoptedEdits(of: shot) == [SHA256Value(of: Array(edited))])
        if isLost { try fixture.loseDatabase() }
        let rebuilt = try await LibraryRebuild(
            library: fixture.libraryPath, readers: 1, metadataProgram: LibraryFixture.program
        ).run()
        #expect(rebuilt.edits == (isLost ? 1 : 0))
        #expect(bytes(name) == edited)
        #expect(try adoptedEdits(of: shot) == [SHA256Value(of: Array(edited))])
        let (report, findings) = try await verify()
        #expect(findings.isEmpty && report.isClean && report.peoples == 1)
    }

    @Test("A photo damaged below photos/ is shown again, and a damaged object is restored from there")
    func rotten() async throws {
        let rendition = try merge(shot, finished: 1)
        // Silent damage leaves no trace in the file system; the record is adjusted to the overwritten photo.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: at(name)))
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        let facts = try #require(try fixture.library.found(at: Array(name.utf8))).facts
        do {
            let database = try fixture.connection()
            try database.run(
                "UPDATE placed SET modified = ?, changed = ?", facts.modifiedNanoseconds, facts.changedNanoseconds)
        }
        #expect(try await verify().1 == ["view-damaged \(name)"])
        #expect(try await verify(repair: true).0.isClean)
        try Data("rot".utf8).write(to: URL(fileURLWithPath: at(rendition.photo.path)))
        #expect(try await verify(repair: true).0.isClean)
        #expect(try await verify().1.isEmpty)
        try fixture.expectConsistency("repaired")
    }
}
