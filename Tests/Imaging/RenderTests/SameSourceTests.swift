import DirectRender
import Foundation
import Jobs
import Looks
import Manifests
import Render
import Samples
import Testing

/// A photo in several looks and sizes is decoded once, and its files equal those of separate decoding.
@Suite("Several recipes of one source") struct SameSourceTests {
    private func recipes() throws -> [Recipe] {
        try [
            RenderFixture.recipe(), RenderFixture.recipe("mono"),
            RenderFixture.recipe("sepia") { $0.longEdgePixels = 100 },
            RenderFixture.recipe {
                $0.exposureStops = 1
                $0.quality = 60
            },
        ]
    }

    /// A RAW with the same time in every fixture, because photos state it.
    private func raw(in fixture: RenderFixture) throws -> FileStamp {
        _ = try fixture.put(RenditionTests.dng(), at: "IMG_1.dng")
        let path = fixture.folder.appending(path: "archive/IMG_1.dng").path
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
        return try fixture.stamp("IMG_1.dng")
    }

    private func stages(_ result: RenderReply) -> Set<String> { Set(result.timings.map(\.stage)) }

    private func files(_ result: RenderReply, in fixture: RenderFixture) throws -> [Data] {
        guard case .completed(let frames) = result.outcome else { throw Failure(.internalError, "it failed") }
        let rendition = try #require(frames.renditions.first)
        return try [rendition.photo, rendition.preview].map { try Data(contentsOf: fixture.file($0.path)) }
    }

    @Test("Each photo has the same bytes as alone, in every order, and only the first decodes", arguments: [1, 3])
    func sameBytes(threads: Int) throws {
        let recipes = try recipes()
        let alone = try recipes.map { recipe in
            let fixture = try RenderFixture(threads: threads)
            let raw = try raw(in: fixture)
            return try files(fixture.context.render(fixture.job(raw, recipe: recipe)), in: fixture)
        }
        #expect(Set(alone.map { $0[0] }).count == recipes.count)
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
            let fixture = try RenderFixture(threads: threads)
            let raw = try raw(in: fixture)
            for (position, index) in order.enumerated() {
                let result = fixture.context.render(try fixture.job(raw, recipe: recipes[index]))
                #expect(stages(result).contains("decode") == (position == 0))
                #expect(try files(result, in: fixture) == alone[index], "\(index) in \(order)")
            }
        }
    }

    @Test("After another photo, a failed job or a change of the file, it is decoded again")
    func decodedAgain() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "IMG_1.dng")
        let other = try fixture.put(RenditionTests.dng(), at: "IMG_2.dng")
        func decodes(_ stamp: FileStamp, _ look: String = "neutral") throws -> Bool {
            stages(fixture.context.render(try fixture.job(stamp, recipe: RenderFixture.recipe(look)))).contains(
                "decode")
        }
        #expect(try decodes(raw))
        #expect(try !decodes(raw, "mono"))
        #expect(try decodes(other))
        #expect(try decodes(raw))
        let missing = try #require(LookReference(name: "none", version: 1, digest: RenderFixture.recipe().id))
        let failed = fixture.context.render(try fixture.job(raw, recipe: Recipe(look: missing)))
        if case .failed(let failure) = failed.outcome { #expect(failure.reason == .unknownLook) }
        #expect(!stages(failed).contains("develop"))
        #expect(try decodes(raw))
        // Other bytes of the same length, with the time that the job expects.
        var bytes = RenditionTests.dng()
        bytes[bytes.count - 1] ^= 0x10
        let path = fixture.folder.appending(path: "archive/IMG_1.dng").path
        let before = try fixture.renditions(try fixture.job(raw)).renditions[0]
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        var times = [timespec](repeating: timespec(), count: 2)
        times[0].tv_sec = Int(raw.modifiedNanoseconds / 1_000_000_000)
        times[1].tv_sec = Int(raw.modifiedNanoseconds / 1_000_000_000)
        times[1].tv_nsec = Int(raw.modifiedNanoseconds % 1_000_000_000)
        #expect(utimensat(AT_FDCWD, path, times, 0) == 0)
        let after = try fixture.renditions(try fixture.job(raw, recipe: RenderFixture.recipe("mono"))).renditions[0]
        #expect(after.asset != before.asset)
    }
}
