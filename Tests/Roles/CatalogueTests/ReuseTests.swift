import Broker
import Digest
import Foundation
import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Storage
import Telemetry
import Testing

@testable import Catalogue

@Suite("Reused photos") struct ReuseTests {
    let fixture: LibraryFixture
    let sources: Root
    let trip = Shot("a", path: "trip/IMG_1.CR2")

    init() throws {
        fixture = try LibraryFixture()
        sources = try fixture.root("archive")
    }

    /// The manifest of another copy of the RAW, whose photo was reused from a file with this hash.
    private func manifest(_ shot: Shot, reused: SHA256Value?) throws -> Manifest {
        // A real preview has no XMP, and is the same for every path.
        let path = LibraryLayout.preview(shot.key).bytes
        let library = try fixture.library
        let before = try? library.contents(of: path, limitBytes: 1 << 20)
        let made = try fixture.render(shot)
        var preview = made.preview
        if let before {
            let done = try library.publish(before, at: path, existing: .replace)
            preview = ProducedFile(
                path: preview.path, digest: done.digest, sizeBytes: done.sizeBytes, size: preview.size)
        }
        let rendition = Rendition(
            asset: made.asset, frame: made.frame, recipe: made.recipe, engine: made.engine, photo: made.photo,
            preview: preview, original: made.original, facts: PhotoFacts(make: made.make, model: made.model),
            photoBase: made.photoBase, reused: reused)
        return try Manifest([rendition], finished: 2, source: try shot.write(to: sources))
    }

    private func merge(_ manifests: [Manifest], partitions: [Int32] = [0, 0, 0]) throws -> [ManifestMergeResult] {
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        let topic = ConsumedTopic(cluster: UUID().uuidString, topic: Topics.manifests)
        let merger = BatchMerger(
            store: store, topic: topic, roots: Roots(["archive": sources]), log: .silent
        ) { _ in }
        try merger.recover()
        let results = try merger.merge(MergeDriver.deliveries(manifests, of: topic), next: [:])
        try merger.removeNotes()
        return results
    }

    @Test("A photo is reused for another path if the library knows the bytes it had, and is shown at both")
    func known() throws {
        let first = try Manifest([try fixture.render(trip)], finished: 1, source: try trip.write(to: sources))
        let results = try merge([first])
        let digest = try #require(results.first?.frames.first?.rendition.photo.digest)
        let best = trip.with { $0.path = "best/IMG_1.CR2" }
        let again = try merge([try manifest(best, reused: digest)])
        #expect(again.first?.refusal == nil)
        #expect(
            fixture.files(below: "photos")
                == ["photos/archive/best/IMG_1.velvet.jpg", "photos/archive/trip/IMG_1.velvet.jpg"])
        try fixture.expectConsistency("taken for another path")
        #expect(JobResult(of: try manifest(best, reused: digest)).reused == 1)
    }

    @Test("A photo whose bytes the library does not know is refused, and the library keeps what it knows")
    func unknown() throws {
        let first = try Manifest([try fixture.render(trip)], finished: 1, source: try trip.write(to: sources))
        _ = try merge([first])
        let content = try fixture.content()
        let best = trip.with { $0.path = "best/IMG_1.CR2" }
        let again = try merge([try manifest(best, reused: SHA256Value(of: [1, 2, 3]))])
        #expect(again.first?.refusal == .unprovenPhoto(LibraryLayout.photo(trip.key)))
        #expect(again.first?.refusal?.level == .warning)
        #expect(try fixture.content() == content)
    }

    @Test("A photo without a record is neither reused nor called damaged; rendered again, it is in the library")
    func withoutRecord() throws {
        let rendition = try fixture.render(trip)
        let results = try merge([try manifest(trip, reused: rendition.photo.digest)])
        let refusal = try #require(results.first?.refusal)
        #expect(refusal == .unrecordedPhoto(LibraryLayout.photo(trip.key)))
        #expect(refusal.level == .info)
        #expect(refusal.description.contains("rendered again") && !refusal.description.contains("bytes"))
        let again = try merge([try Manifest([rendition], finished: 3, source: try trip.write(to: sources))])
        #expect(again.map(\.refusal) == [nil])
        try fixture.expectConsistency("rendered again")
    }

    @Test("The manifest that made a photo may come in the same batch, after the one that reuses it")
    func sameBatch() throws {
        let first = try Manifest([try fixture.render(trip)], finished: 1, source: try trip.write(to: sources))
        let digest = try #require(first.renditions.first?.photo.digest)
        let best = trip.with { $0.path = "best/IMG_1.CR2" }
        let source = try best.write(to: sources)
        let made = try #require(first.renditions.first)
        let taken = Rendition(
            asset: made.asset, frame: made.frame, recipe: made.recipe, engine: made.engine, photo: made.photo,
            preview: made.preview, original: made.original, facts: PhotoFacts(make: made.make, model: made.model),
            photoBase: made.photoBase, reused: digest)
        let results = try merge([try Manifest([taken], finished: 2, source: source), first])
        #expect(results.map(\.refusal) == [nil, nil])
        #expect(results.map(\.manifest.source.raw.file.path.description) == ["best/IMG_1.CR2", "trip/IMG_1.CR2"])
    }

    @Test(
        "A photo that a third path's photo has replaced is not called damaged: the library knows the current file"
    )
    func replacedSinceTaken() throws {
        let source = try trip.write(to: sources)
        let first = try Manifest([try fixture.render(trip)], finished: 1, source: source)
        let digest = try #require(first.renditions.first?.photo.digest)
        let second = try manifest(trip.with { $0.path = "second/IMG_1.CR2" }, reused: digest)
        let third = try manifest(
            trip.with { $0.path = "a third one/IMG_1.CR2" }, reused: second.renditions.first?.photo.digest)
        #expect(try merge([first]).map(\.refusal) == [nil])
        #expect(try merge([second]).map(\.refusal) == [nil])
        #expect(try merge([third]).map(\.refusal) == [nil])
        #expect(fixture.files(below: "photos").count == 3)
        try fixture.expectConsistency("replaced twice")
    }

    @Test(
        "A photo that was copied while another path's was there for a moment is corrected, although its record says otherwise"
    )
    func copiedMeanwhile() throws {
        let source = try trip.write(to: sources)
        // As long as the other path, so that the file passes for the manifest's.
        let best = trip.with { $0.path = "best/IMG_1.CR2" }
        let slow = try Manifest([try fixture.render(trip)], finished: 1, source: source)
        let quick = try Manifest([try fixture.render(best)], finished: 2, source: try best.write(to: sources))
        #expect(slow.renditions.first?.photo.sizeBytes == quick.renditions.first?.photo.sizeBytes)
        _ = try merge([slow])
        _ = try fixture.render(trip)
        #expect(try merge([quick]).map(\.refusal) == [nil])
        #expect(fixture.files(below: "photos").count == 2)
        try fixture.expectConsistency("copied meanwhile")
    }

    @Test("A manifest whose file another path's photo replaced is not refused: the file states its own identity")
    func replacedByOtherPath() throws {
        let source = try trip.write(to: sources)
        let slow = try Manifest([try fixture.render(trip)], finished: 1, source: source)
        let best = trip.with { $0.path = "a much longer folder than the other one/IMG_1.CR2" }
        let quick = try Manifest([try fixture.render(best)], finished: 2, source: try best.write(to: sources))
        let results = try merge([slow, quick])
        #expect(results.map(\.refusal) == [nil, nil])
        #expect(fixture.files(below: "photos").count == 2)
        try fixture.expectConsistency("replaced by another path's")
        // In the other order.
        let content = try fixture.content()
        _ = try merge([quick, slow])
        #expect(try fixture.content() == content)
    }
}

extension Manifest {
    fileprivate var renditions: [Rendition] {
        if case .completed(let frames) = outcome { frames.renditions } else { [] }
    }
}
