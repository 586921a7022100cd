import Jobs
import LibraryFixtures
import LibraryTables
import Manifests
import PhotoTree
import Testing

@testable import Catalogue

@Suite("Render times of photos")
struct RenderTimeTests {
    /// The shot, rendered for a camera in this many milliseconds; nil for a photo without a time.
    private func manifest(
        _ number: Int, _ camera: String, _ milliseconds: UInt64?, in fixture: LibraryFixture
    ) throws -> Manifest {
        let made = try fixture.render(Shot("raw \(number)", path: "2019/IMG_\(number).CR2"))
        let timings = milliseconds.map { [("decode", $0 / 4), ("develop", $0 - $0 / 4)] } ?? []
        let rendition = Rendition(
            asset: made.asset, frame: made.frame, recipe: made.recipe, engine: made.engine, photo: made.photo,
            preview: made.preview, original: made.original,
            facts: PhotoFacts(make: "Maker", model: camera, captured: made.captured), photoBase: made.photoBase,
            timings: timings.map { StageTiming(stage: $0.0, microseconds: $0.1 * 1000) })
        return try Manifest([rendition], finished: Int64(number))
    }

    private func estimate(_ cameras: [String: Int], in fixture: LibraryFixture) throws -> RenderEstimate? {
        try LibraryStore(folder: fixture.libraryPath, mode: .read).tables.renderTimes.estimate(of: cameras)
    }

    @Test(
        "An estimate uses the times of each camera's photos, each counted once, together or one by one",
        arguments: LibraryFixture.BackEnd.here, [true, false])
    func cameras(on backEnd: LibraryFixture.BackEnd, together: Bool) throws {
        let fixture = try LibraryFixture(on: backEnd)
        var manifests = try (0..<4).map { try manifest($0, "Slow", 1000 + UInt64($0) * 100, in: fixture) }
        manifests += try (4..<7).map { try manifest($0, "Fast", 200, in: fixture) }
        manifests.append(try manifest(7, "Fast", nil, in: fixture))
        manifests += manifests
        try MergeDriver(fixture).run(manifests, together: together)
        #expect(try estimate(["Maker Slow": 10, "Maker Fast": 100], in: fixture)?.seconds == 10 * 1.15 + 100 * 0.2)
        #expect(try estimate(["Maker Fast": 5], in: fixture) == RenderEstimate(seconds: 1, measured: 5))
        // The average of the known ones: of the selection, or of all.
        #expect(try estimate(["Maker Fast": 5, "Other": 5], in: fixture) == RenderEstimate(seconds: 2, measured: 5))
        let others = try #require(try estimate(["Other": 7], in: fixture))
        #expect(abs(others.seconds - (4.6 + 0.6)) < 1e-9 && others.measured == 0)
    }

    @Test("Old photos lose weight, so that today's machines decide", arguments: LibraryFixture.BackEnd.here)
    func memory(on backEnd: LibraryFixture.BackEnd) throws {
        let fixture = try LibraryFixture(on: backEnd)
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        func add(_ photos: Int, seconds: UInt64, engine: UInt32 = 6) throws {
            try store.transaction {
                try store.tables.renderTimes.add([
                    RenderTime(
                        camera: "c", engine: engine, photos: photos, microseconds: UInt64(photos) * seconds * 1_000_000)
                ])
            }
        }
        #expect(try store.tables.renderTimes.estimate(of: ["c": 1]) == nil)
        try add(100_000, seconds: 9)
        for _ in 0..<40 { try add(1000, seconds: 1) }
        let now = try #require(try store.tables.renderTimes.estimate(of: ["c": 10]))
        #expect((10..<10.1).contains(now.seconds))
        try add(1, seconds: 3, engine: 7)
        #expect(try store.tables.renderTimes.estimate(of: ["c": 10])?.seconds == 30)
    }

    @Test("A photo that was not developed, or has an impossible time, does not affect estimates")
    func nonsense() throws {
        let fixture = try LibraryFixture()
        let sane = try manifest(0, "A", 500, in: fixture)
        var manifests = [sane]
        for number in 1..<40 { manifests.append(try manifest(number, "A", .max / 1000 - 1, in: fixture)) }
        let renditions = manifests.flatMap { manifest -> [Rendition] in
            guard case .completed(let made) = manifest.outcome else { return [] }
            return made.renditions
        }
        #expect(RenderTime.all(of: renditions).map(\.photos) == [40])
        let hour: UInt64 = 3_600_000_000
        #expect(RenderTime.all(of: renditions).map(\.microseconds) == [500_000 + 39 * hour])
        // The row stays a number after any repetitions.
        let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
        try store.transaction {
            for _ in 0..<1000 { try store.tables.renderTimes.add(RenderTime.all(of: renditions)) }
        }
        let estimate = try #require(try store.tables.renderTimes.estimate(of: ["Maker A": 1]))
        #expect((3000...3600).contains(estimate.seconds))
    }
}
