import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Storage
import Synchronization
import Testing
import Upkeep

@Suite("Verifying a library") struct VerificationTests {
    let fixture: LibraryFixture
    let sources: Root
    let roots: Roots

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
        roots = Roots(["archive": sources])
    }

    /// Two photos whose RAWs are in their root, and the manifests' contents.
    func twoPhotos() throws -> [Rendition] {
        let shots = [Shot("a", path: "IMG_1.CR2"), Shot("b", path: "IMG_2.CR2")]
        for shot in shots { _ = try shot.write(to: sources) }
        let renditions = try shots.map { try fixture.render($0) }
        try fixture.merge(try renditions.map { try Manifest([$0], finished: 1) })
        return renditions
    }

    func verify(repair: Bool = false, roots: Roots? = nil) async throws -> (
        LibraryVerification.Report, [LibraryVerification.Finding]
    ) {
        let findings = Mutex<[LibraryVerification.Finding]>([])
        let report = try await LibraryVerification(
            library: fixture.libraryPath, roots: roots ?? self.roots, checkers: 2,
            metadataProgram: LibraryFixture.program
        )
        .run(repair: repair, onFinding: { finding in findings.withLock { $0.append(finding) } })
        return (report, findings.withLock { $0 })
    }

    func at(_ path: some CustomStringConvertible) -> String { "\(fixture.libraryPath)/\(path)" }

    @Test("An intact library has no findings, and what was read is counted")
    func clean() async throws {
        _ = try twoPhotos()
        let (report, findings) = try await verify()
        #expect(findings.isEmpty && report.isClean && !report.isInUse)
        #expect(report.photos == 2 && report.previews == 2 && report.originals == 2 && report.bytes > 4000)
        let (elsewhere, none) = try await verify(roots: Roots([:]))
        #expect(none.isEmpty && elsewhere.uncheckedOriginals == 2 && elsewhere.originals == 0)
    }

    @Test("Copies, moves, collisions and revisions are not findings")
    func varied() async throws {
        let manifests = try fixture.variedManifests(sources: sources)
        try fixture.merge(manifests)
        let (report, findings) = try await verify(roots: Roots([:]))
        #expect(findings.isEmpty && report.copies == 3)
    }

    @Test("Every kind of damage is found, and nothing else")
    func damage() async throws {
        let photos = try twoPhotos()
        let whole = Shot("d", path: "IMG_4.CR2")
        _ = try whole.write(to: sources)
        try fixture.merge([try Manifest([try fixture.render(whole)], finished: 1)])
        let files = FileManager.default
        try files.removeItem(atPath: at(photos[0].preview.path))
        try files.removeItem(atPath: at("photos/archive/IMG_1.velvet.jpg"))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: at("photos/archive/holiday.jpg")))
        try Data("half".utf8).write(to: URL(fileURLWithPath: at("photos/archive/.rawmill-1f.tmp")))
        try Data("bitrot".utf8).write(to: URL(fileURLWithPath: at(photos[1].preview.path)))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: at(photos[1].photo.path)))
        try handle.write(contentsOf: Data([0, 0, 0]))
        try files.removeItem(atPath: fixture.path + "/archive/IMG_1.CR2")
        try Data("another".utf8).write(to: URL(fileURLWithPath: fixture.path + "/archive/IMG_2.CR2"))
        let unknown = try fixture.render(Shot("c", path: "IMG_3.CR2"))
        let job = JobID(digest: unknown.asset)
        let attempts = try MarkerFolder(Array(LibraryLayout.attempts.utf8), in: fixture.library)
        _ = try attempts.create(Array("\(job).0.1".utf8))
        _ = try attempts.create(Array("\(job).0.0.cluster.rawmill.jobs.bulk.3.17".utf8))

        let (report, findings) = try await verify()
        #expect(!report.isClean)
        #expect(
            Set(findings.map { "\($0.kind.rawValue) \($0.file)" }) == [
                "preview-missing library/\(photos[0].preview.path)",
                "link-missing library/photos/archive/IMG_1.velvet.jpg",
                "unknown-photo library/photos/archive/holiday.jpg",
                "stale-temporary library/photos/archive/.rawmill-1f.tmp",
                "preview-changed library/\(photos[1].preview.path)",
                "photo-changed library/\(photos[1].photo.path)",
                "raw-missing archive/IMG_1.CR2", "raw-changed archive/IMG_2.CR2",
                "unknown-object library/\(unknown.photo.path)",
                "unknown-preview library/\(unknown.preview.path)",
                "started-attempt library/\(LibraryLayout.attempts)/\(job).0.1",
            ])
        #expect(findings.allSatisfy { !$0.kind.statement.isEmpty && !$0.kind.remedy.isEmpty })
    }

    @Test(
        "RAWs in unmounted storage are out of reach, with one finding, even with files below the mount point",
        arguments: [[], ["notes.txt"], ["IMG_1.CR2"]])
    func unmounted(strays: [String]) async throws {
        _ = try twoPhotos()
        let archive = fixture.path + "/archive"
        try FileManager.default.moveItem(atPath: archive, toPath: archive + "-elsewhere")
        let below = try fixture.root("archive")
        // A RAW of that name may be there, for example another card's.
        for stray in strays { _ = try below.publish(Array("stray".utf8), at: Array(stray.utf8)) }
        let (report, findings) = try await verify(roots: Roots(["archive": below]))
        #expect(findings.map(\.kind) == [.rootUnseen] && findings.first?.detail == archive)
        #expect(!report.isClean && report.uncheckedOriginals == 2)

        // An operator marks this as the root: then the RAWs are gone.
        _ = try below.publish(Array("the archive".utf8), at: FolderSample.markPath)
        let (_, named) = try await verify(roots: Roots(["archive": below]))
        #expect(named.count == 2 && named.allSatisfy { $0.kind == .rawMissing || $0.kind == .rawChanged })

        try FileManager.default.removeItem(atPath: archive)
        try FileManager.default.moveItem(atPath: archive + "-elsewhere", toPath: archive)
        // The folder below was opened, and the path no longer leads to it.
        let (_, back) = try await verify()
        #expect(back.isEmpty)
    }

    @Test("If a program wrote into all RAWs of a root, each has a finding that it changed")
    func rewritten() async throws {
        _ = try twoPhotos()
        for name in ["IMG_1.CR2", "IMG_2.CR2"] {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(fixture.path)/archive/\(name)"))
            _ = try file.seekToEnd()
            try file.write(contentsOf: Data("GPS".utf8))
        }
        let (report, findings) = try await verify()
        #expect(findings.map(\.kind) == [.rawChanged, .rawChanged] && report.uncheckedOriginals == 0)
    }

    @Test("A repair loses nothing, and leaves a user's own files unchanged")
    func repair() async throws {
        let photos = try twoPhotos()
        let files = FileManager.default
        try files.removeItem(atPath: at("photos/archive/IMG_1.velvet.jpg"))
        try files.removeItem(atPath: at(photos[1].photo.path))
        try Data("mine".utf8).write(to: URL(fileURLWithPath: at("photos/archive/holiday.jpg")))
        try Data("half".utf8).write(to: URL(fileURLWithPath: at("photos/archive/.rawmill-1f.tmp")))
        try files.linkItem(atPath: at(photos[0].photo.path), toPath: at("photos/archive/second-name.jpg"))

        let unfinished = try fixture.render(Shot("c", path: "IMG_3.CR2"))
        try files.removeItem(atPath: at(unfinished.photo.path))

        let (report, findings) = try await verify(repair: true)
        #expect(report.repaired == 4)
        #expect(findings.filter { !$0.isRepaired }.map(\.kind) == [.unknownPhoto, .unknownPhoto])
        for name in ["holiday", "second-name"] {
            #expect(files.fileExists(atPath: at("photos/archive/\(name).jpg")))
            try files.removeItem(atPath: at("photos/archive/\(name).jpg"))
        }
        try fixture.expectConsistency("repaired")
        let (_, left) = try await verify()
        #expect(left.isEmpty)
    }

    @Test("A dropped and undeveloped RAW is a user's own, and neither reported nor removed")
    func drops() async throws {
        _ = try twoPhotos()
        let names = [
            "drops/2024-05-01 Card/broken.dng", "drops/2024-05-01 Card/broken.JPG",
            "drops/2024-05-01 Card/a.velvet.jpg",
            "elsewhere/broken.dng",
        ]
        for name in names {
            let file = URL(fileURLWithPath: at("photos/\(name)"))
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("half a RAW".utf8).write(to: file)
        }
        let (report, findings) = try await verify(repair: true)
        #expect(report.peoples == 2)
        #expect(
            Set(findings.map { "\($0.kind.rawValue) \($0.file)" }) == [
                "unknown-photo library/photos/drops/2024-05-01 Card/a.velvet.jpg",
                "unknown-photo library/photos/elsewhere/broken.dng",
            ])
        #expect(FileManager.default.fileExists(atPath: at("photos/drops/2024-05-01 Card/broken.dng")))
    }

    @Test(
        "A repair takes in a photo whose worker died before its manifest, and leaves other files in its folder unchanged"
    )
    func orphan() async throws {
        _ = try twoPhotos()
        let orphan = try fixture.render(Shot("c", path: "IMG_3.CR2"))
        _ = try Shot("c", path: "IMG_3.CR2").write(to: sources)
        let stranger = RelativePath("objects/ab/cd/abcd.jpg")
        try FileManager.default.createDirectory(atPath: at("objects/ab/cd"), withIntermediateDirectories: true)
        try Data("no photo".utf8).write(to: URL(fileURLWithPath: at("objects/ab/cd/abcd.jpg")))
        let (report, findings) = try await verify(repair: true)
        #expect(report.repaired == 1)
        #expect(findings.filter(\.isRepaired).map(\.file.path) == [orphan.photo.path])
        #expect(findings.filter { !$0.isRepaired }.map(\.file.path) == [stranger])
        #expect(fixture.files(below: "photos").contains("photos/archive/IMG_3.velvet.jpg"))
        try FileManager.default.removeItem(atPath: at("objects/ab/cd/abcd.jpg"))
        #expect(try await verify().1.isEmpty)
        // Its late manifest changes nothing.
        try fixture.merge([try Manifest([orphan], finished: 1)])
        #expect(try await verify().1.isEmpty)
    }

    @Test("A repair keeps a file in a photo's place, and shows the photo under another name")
    func ownFile() async throws {
        _ = try twoPhotos()
        let path = at("photos/archive/IMG_1.velvet.jpg")
        try FileManager.default.removeItem(atPath: path)
        try Data("edited by hand".utf8).write(to: URL(fileURLWithPath: path))
        let (report, findings) = try await verify(repair: true)
        #expect(findings.map(\.kind) == [.linkWrong] && report.repaired == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "edited by hand")
        #expect(fixture.files(below: "photos").contains("photos/archive/IMG_1.CR2.velvet.jpg"))
        let (next, none) = try await verify()
        #expect(none.isEmpty && next.peoples == 1)
    }

    @Test("A library that another process writes is reported as in use, and not repaired")
    func inUse() async throws {
        _ = try twoPhotos()
        let writer = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        #expect(try await verify().0.isInUse)
        let error = await #expect(throws: LibraryError.self) { try await verify(repair: true) }
        #expect(error?.kind == .busy)
        withExtendedLifetime(writer) {}
    }

    @Test("Work that a killed cataloguer left undone is found, and a repair finishes it")
    func unfinished() async throws {
        let rendition = try fixture.render(Shot("a", path: "IMG_1.CR2"))
        _ = try Shot("a", path: "IMG_1.CR2").write(to: sources)
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try fixture.mergeRows([try Manifest([rendition], finished: 1)], into: store)
        }
        let (_, findings) = try await verify()
        #expect(Set(findings.map(\.kind)) == [.linkMissing, .unfinishedLink])
        let (report, _) = try await verify(repair: true)
        #expect(report.isClean)
    }

    @Test("A replaced RAW is a finding until the new one is converted")
    func replacedRaw() async throws {
        let old = Shot("a", path: "IMG_1.CR2")
        _ = try old.write(to: sources)
        try fixture.merge([try Manifest([try fixture.render(old)], finished: 1)])
        try FileManager.default.removeItem(atPath: fixture.path + "/archive/IMG_1.CR2")
        let new = Shot("b", path: "IMG_1.CR2")
        _ = try new.write(to: sources)
        #expect(try await verify().1.map(\.kind) == [.rawChanged])
        try fixture.merge([try Manifest([try fixture.render(new)], finished: 2)])
        let (report, findings) = try await verify()
        #expect(report.isClean && findings.isEmpty)
    }

    @Test("A RAW replaced by a copy of one in the library is also a finding")
    func replacedByCopy() async throws {
        for shot in [Shot("a", path: "IMG_1.CR2"), Shot("b", path: "IMG_2.CR2")] {
            _ = try shot.write(to: sources)
            try fixture.merge([try Manifest([try fixture.render(shot)], finished: 1)])
        }
        try FileManager.default.removeItem(atPath: fixture.path + "/archive/IMG_1.CR2")
        let copy = Shot("b", path: "IMG_1.CR2")
        _ = try copy.write(to: sources)
        #expect(try await verify().1.map(\.kind) == [.rawChanged])
        try fixture.merge([try Manifest([try fixture.render(copy)], finished: 2)])
        let (report, findings) = try await verify()
        #expect(report.isClean && findings.isEmpty, "\(findings)")
    }

    @Test("A deleted camera JPEG is noticed, and forgotten when the RAW is converted again")
    func cameraJPEG() async throws {
        let shot = Shot("a", path: "IMG_1.CR2").with { $0.companion = "IMG_1.JPG" }
        _ = try shot.write(to: sources)
        _ = try sources.publish(Array("jpeg".utf8), at: Array("IMG_1.JPG".utf8))
        try fixture.merge([try Manifest([try fixture.render(shot)], finished: 1)])
        #expect(try await verify().1.isEmpty)
        try sources.remove(Array("IMG_1.JPG".utf8))
        #expect(
            try await verify().1.map { "\($0.kind.rawValue) \($0.file)" } == ["camera-photo-missing archive/IMG_1.JPG"])
        try fixture.merge([try Manifest([try fixture.render(shot.with { $0.companion = nil })], finished: 2)])
        #expect(try await verify().1.isEmpty)
    }
}
