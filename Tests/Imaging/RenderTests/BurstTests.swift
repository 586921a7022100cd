import DirectRender
import Foundation
import Jobs
import Manifests
import PictureFormat
import Pixels
import Render
import Samples
import Storage
import Testing

@Suite("Bursts") struct BurstTests {
    /// Two frames in one file; the second one's samples come last.
    static func burst() -> [UInt8] {
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        func picture(_ seed: UInt64) -> DNGPicture {
            var picture = DNGPicture(
                plane: camera.expose(
                    SampleScene(seed: seed), size: PixelSize(width: 300, height: 200), layout: layout), layout: layout)
            picture.black = .init(rows: 2, columns: 2, values: camera.black.map { Rational(Int64($0), 1) })
            picture.white = camera.white
            return picture
        }
        return DNGWriter(camera: camera).file(picture(3), picture(4))
    }

    private static func outcome(_ bytes: [UInt8]) throws -> (Manifest.Outcome, RenderFixture) {
        let fixture = try RenderFixture()
        return (fixture.context.render(try fixture.job(try fixture.put(bytes, at: "burst.dng"))).outcome, fixture)
    }

    private static func frames(_ bytes: [UInt8]) throws -> RenderedFrames {
        let (outcome, fixture) = try outcome(bytes)
        guard case .completed(let frames) = outcome else {
            Issue.record("\(outcome)")
            return []
        }
        for rendition in frames {
            #expect(FileManager.default.fileExists(atPath: fixture.file(rendition.photo.path).path))
        }
        return frames
    }

    @Test("Only the truncated frame fails: the others equal those of the whole file, and the failure names it")
    func cutFrame() throws {
        let whole = Self.burst()
        let both = try Self.frames(whole)
        #expect(both.count == 2 && both.isWhole && both.degradation == nil)
        let cut = try Self.frames(Array(whole.dropLast(2000)))
        #expect(cut.map(\.frame) == [0] && cut.failures.map(\.frame) == [1])
        #expect(cut.failures.first?.failure.reason == .corrupt)
        #expect(cut.first?.preview.digest == both.first?.preview.digest)
        let failure = try #require(cut.partialFailure)
        #expect(failure.reason == .corrupt)
        #expect(failure.message.hasPrefix("1 of 2 frames became photos. Frame 2: archive/burst.dng: "), "\(failure)")
        #expect(cut.degradation == failure.message)
    }

    @Test("A first frame that fails does not affect the second")
    func damagedFirstFrame() throws {
        let whole = Self.burst()
        let both = try Self.frames(whole)
        var damaged = whole
        // In the middle of the first picture's samples.
        for offset in whole.count / 4..<whole.count / 4 + 64 { damaged[offset] = 0xff }
        let frames = try Self.frames(damaged)
        #expect(frames.map(\.frame) == [1] && frames.failures.map(\.frame) == [0])
        #expect(frames.first?.preview.digest == both.last?.preview.digest)
    }

    @Test("A file without any renderable frame fails, and leaves no files")
    func nothingLeft() throws {
        let whole = Self.burst()
        var damaged = Array(whole.dropLast(2000))
        for offset in whole.count / 4..<whole.count / 4 + 64 { damaged[offset] = 0xff }
        let (outcome, fixture) = try Self.outcome(damaged)
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.reason == .corrupt)
        #expect(try fixture.library.entries(of: []).isEmpty)
    }
}
