import Jobs
import Manifests
import PictureFormat
import Pixels
import Render
import Samples
import Testing

@Suite("The seed of grain")
struct GrainSeedTests {
    private func preview(_ raw: [UInt8], _ look: String, name: String = "a.dng") throws -> ProducedFile {
        let fixture = try RenderFixture()
        let recipe = try RenderFixture.recipe(look) { $0.longEdgePixels = 300 }
        let frames = try fixture.renditions(try fixture.job(try fixture.put(raw, at: name), recipe: recipe))
        return try #require(frames.first).preview
    }

    @Test("Bytes appended to a RAW's samples, and its name, do not change the grain")
    func sameSamples() throws {
        let raw = Sample.dng(index: 4, size: PixelSize(width: 600, height: 400))
        let one = try preview(raw, "silver-pushed")
        #expect(
            try preview(raw + Array("<x:xmpmeta rating='5'/>".utf8), "silver-pushed", name: "b.dng").digest
                == one.digest)
        #expect(try preview(raw, "silver").digest != one.digest)
    }

    private static let texture = FilmTexture(
        longEdgeMicrometres: 36_000,
        grain: FilmGrain(
            granularity: 15, sizeMicrometres: 3,
            responses: Array(repeating: .init(start: 2, end: 2, middle: 1), count: 3), isMonochrome: true),
        halation: nil)

    @Test("A single differing sample in one of the relevant rows changes the grain everywhere")
    func otherSamples() throws {
        func light(_ corner: Double) throws -> [Double] {
            try FilmPicture(light: 0, width: 600, height: 300) { x, y in x + y == 0 ? corner : 0.3 }.light(Self.texture)
                .values
        }
        let (one, same, other) = (try light(0.3), try light(0.3), try light(0.32))
        #expect(one == same)
        let equal = zip(one, other).filter { $0 == $1 }.count
        #expect(equal < one.count / 50, "\(equal) of \(one.count) pixels are the same")
    }
}
