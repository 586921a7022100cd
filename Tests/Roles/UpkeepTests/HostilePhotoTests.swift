import Foundation
import Jobs
import LibraryFixtures
import Manifests
import MetadataHost
import Storage
import Synchronization
import Testing

@testable import LibraryTables
@testable import PhotoTree
@testable import Upkeep

/// Photos that take over the process reading their metadata. `hostile-process` enters the same sandbox, and obeys them.
@Suite("Hostile photos in a library") struct HostilePhotoTests {
    private let fixture: LibraryFixture
    private let program = LibraryFixture.programs.appending(path: "hostile-process").path
    private let renditions: [Rendition]

    init() throws {
        let fixture = try LibraryFixture()
        let renditions = try (1...4).map { try fixture.render(Shot("\($0)", path: "IMG_\($0).CR2")) }
        try fixture.merge(try renditions.map { try Manifest([$0], finished: 1) })
        self.fixture = fixture
        self.renditions = renditions
    }

    /// Rewrites a photo with an attack.
    private func spoil(_ path: some CustomStringConvertible, _ order: String) throws {
        let file = URL(fileURLWithPath: "\(fixture.libraryPath)/\(path)")
        try (Data(contentsOf: file) + Data("\nrawmill-test:\(order)\n".utf8)).write(to: file, options: .atomic)
    }

    private func verify(
        repair: Bool = false, adopt: Bool = false, program: String? = nil
    ) async throws -> [LibraryVerification.Finding] {
        let findings = Mutex<[LibraryVerification.Finding]>([])
        _ = try await LibraryVerification(
            library: fixture.libraryPath, roots: Roots([:]), checkers: 1, metadataProgram: program ?? self.program
        ).run(repair: repair, adoptsEdits: adopt, onFinding: { finding in findings.withLock { $0.append(finding) } })
        return findings.withLock { $0 }
    }

    private func rebuild() async throws -> (LibraryRebuild.Report, [String]) {
        let problems = Mutex<[String]>([])
        let report = try await LibraryRebuild(library: fixture.libraryPath, readers: 1, metadataProgram: program).run(
            onProblem: { problem in problems.withLock { $0.append("\(problem.path): \(problem.message)") } })
        return (report, problems.withLock { $0 })
    }

    @Test("A rebuild names them, and takes in all others")
    func rebuilding() async throws {
        try spoil(renditions[1].photo.path, "attack start_process")
        try spoil(renditions[2].preview.path, "crash")
        let (report, problems) = try await rebuild()
        #expect(report.renditions == 3 && report.unknownFiles == 1 && report.missingPreviews == 1)
        #expect(
            Set(problems) == [
                "\(renditions[1].photo.path): its metadata could not be read: "
                    + "the reader broke the rules of its sandbox",
                "\(renditions[2].preview.path): its metadata could not be read: the reader crashed (signal 11)",
            ])
    }

    @Test("A rebuild without a working reader leaves the old database unchanged")
    func noReader() async throws {
        let before = try fixture.content()
        let error = await #expect(throws: LibraryError.self) {
            try await LibraryRebuild(library: fixture.libraryPath, readers: 2, metadataProgram: "/bin/true").run()
        }
        #expect(error?.kind == .unavailable)
        #expect(try fixture.content() == before)
    }

    @Test("A verification names them, and recognises the edits beside them")
    func verifying() async throws {
        try spoil("photos/archive/IMG_1.velvet.jpg", "nothing")
        try spoil("photos/archive/IMG_2.velvet.jpg", "attack connect_out")
        try spoil("photos/archive/IMG_3.velvet.jpg", "nothing")
        let copy = "photos/archive/copy.jpg"
        try FileManager.default.copyItem(
            atPath: "\(fixture.libraryPath)/photos/archive/IMG_2.velvet.jpg", toPath: "\(fixture.libraryPath)/\(copy)")
        let findings = try await verify(adopt: true)
        #expect(
            Set(findings.map { "\($0.kind.rawValue) \($0.file.path) \($0.detail)" }) == [
                "photo-edited photos/archive/IMG_1.velvet.jpg ", "photo-edited photos/archive/IMG_3.velvet.jpg ",
                "metadata-unreadable photos/archive/IMG_2.velvet.jpg the reader broke the rules of its sandbox",
                "link-wrong photos/archive/IMG_2.velvet.jpg ",
                "metadata-unreadable \(copy) the reader broke the rules of its sandbox", "unknown-photo \(copy) ",
            ])
        #expect(findings.filter(\.isRepaired).map(\.kind) == [.photoEdited, .photoEdited])
    }

    @Test("A verification without a working reader reports each changed photo, and checks the rest")
    func verifyingWithoutReader() async throws {
        try spoil("photos/archive/IMG_1.velvet.jpg", "nothing")
        try FileManager.default.removeItem(atPath: "\(fixture.libraryPath)/\(renditions[1].photo.path)")
        try FileManager.default.copyItem(
            atPath: "\(fixture.libraryPath)/photos/archive/IMG_3.velvet.jpg",
            toPath: "\(fixture.libraryPath)/photos/archive/copy.jpg")
        for repair in [false, true] {
            let findings = try await verify(repair: repair, program: "/bin/true")
            #expect(
                Set(findings.map { "\($0.kind.rawValue) \($0.file.path)" }) == [
                    "metadata-not-read photos/archive/IMG_1.velvet.jpg", "metadata-not-read photos/archive/copy.jpg",
                    "photo-missing \(renditions[1].photo.path)",
                ])
            #expect(
                findings.allSatisfy {
                    $0.kind == .photoMissing || $0.detail.contains("exited immediately") && !$0.isRepaired
                })
        }
    }

    @Test("Edits are named if a rebuild has no working reader, because another rebuild would not look for them")
    func recoveringWithoutReader() async throws {
        try FileManager.default.copyItem(
            atPath: "\(fixture.libraryPath)/photos/archive/IMG_3.velvet.jpg",
            toPath: "\(fixture.libraryPath)/photos/archive/copy.jpg")
        let named = Mutex<[String]>([])
        let recovery = EditRecovery(
            store: try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: program),
            metadata: MetadataReader(program: "/bin/true", library: fixture.libraryPath),
            onUnread: { path, _ in named.withLock { $0.append("\(path)") } })
        #expect(try await recovery.run() == 0)
        #expect(named.withLock { $0 } == ["photos/archive/copy.jpg"])
    }

    @Test("A repair does not take in a photo that takes over its reader")
    func repairing() async throws {
        let orphans = try ["5", "6"].map { try fixture.render(Shot($0, path: "IMG_\($0).CR2")) }
        try spoil(orphans[0].photo.path, "abort")
        let findings = try await verify(repair: true)
        #expect(
            findings.contains { $0.kind == .unknownObject && $0.isRepaired && $0.file.path == orphans[1].photo.path })
        #expect(
            findings.filter { $0.file.path == orphans[0].photo.path }.map { "\($0.kind.rawValue) \($0.detail)" }
                == ["metadata-unreadable the reader crashed (signal 6)", "unknown-object "])
    }
}
