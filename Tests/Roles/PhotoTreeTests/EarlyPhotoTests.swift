import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Storage
import Testing

@Suite("Photos written in parallel with their rows")
struct EarlyPhotoTests {
    private struct Failure: Error {}

    private let fixture: LibraryFixture
    private let store: LibraryStore
    private let names = (0..<20).map { "photos/archive/2019/IMG_\($0).velvet.jpg" }

    init() throws {
        fixture = try LibraryFixture()
        store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
    }

    private func candidates() throws -> [PlainMergeCandidate] {
        try (0..<20).map { number in
            let shot = Shot("raw \(number)", path: "2019/IMG_\(number).CR2")
            let manifest = try Manifest([try fixture.render(shot)], finished: 1)
            guard case .completed(let renditions) = manifest.outcome, let rendition = renditions.first else {
                return .none
            }
            let source = manifest.source
            return .item(
                PlainMergeItem(
                    record: try RenditionRecord(rendition), finished: 1,
                    sighting: Sighting(raw: source.raw, photoBase: source.photoBase)))
        }
    }

    private func merge(_ candidates: [PlainMergeCandidate], andThen body: () throws -> Void = {}) throws {
        let shown = try store.transaction {
            try store.links.clearPending()
            let shown = try store.merge(plain: candidates).shown
            try body()
            return shown
        }
        try store.links.updatePending(after: shown)
    }

    @Test("They have no names before the commit, and are removed without it")
    func rollback() throws {
        let candidates = try candidates()
        #expect(throws: Failure.self) {
            try merge(candidates) {
                // They are being written.
                usleep(100_000)
                #expect(fixture.files(below: "photos").isEmpty)
                throw Failure()
            }
        }
        try store.links.updatePending()
        #expect(fixture.files(below: "photos").isEmpty)
        try merge(candidates)
        #expect(fixture.files(below: "photos") == names.sorted())
        try store.transaction { try store.links.clearPending() }
        try fixture.expectConsistency("after a transaction that failed")
    }

    @Test("A file that a user puts under a name meanwhile stays, and the photo gets another name")
    func taken() throws {
        let mine = Data("mine".utf8)
        let path = "\(fixture.libraryPath)/\(names[3])"
        try merge(try candidates()) {
            usleep(100_000)
            try mine.write(to: URL(fileURLWithPath: path))
        }
        #expect(FileManager.default.contents(atPath: path) == mine)
        #expect(fixture.files(below: "photos").count == 21)
        #expect(fixture.files(below: "photos").contains("photos/archive/2019/IMG_3.CR2.velvet.jpg"))
    }
}
