import Foundation
import Jobs
import Manifests
import PictureFormat
import Pixels
import Records
import Samples
import Testing

@testable import Worker

@Suite("Bursts", .serialized) struct BurstTests {
    @Test(
        "A burst with a truncated frame gives the other frame's photo, and a dead letter that names the truncated one")
    func cutFrame() async throws {
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        let size = PixelSize(width: 300, height: 200)
        let first = DNGPicture(
            plane: camera.expose(SampleScene(seed: 3), size: size, layout: layout), layout: layout)
        let second = DNGPicture(
            plane: camera.expose(SampleScene(seed: 4), size: size, layout: layout), layout: layout)
        let whole = DNGWriter(camera: camera).file(first, second)
        let fixture = try await WorkerFixture()
        let job = try fixture.job(try fixture.put(Array(whole.dropLast(2000)), at: "burst.dng"))
        try await fixture.submit([job])
        try await fixture.work(until: hasEnded(1))
        let manifest = try #require(try await fixture.manifests().first)
        guard case .completed(let frames) = manifest.outcome else {
            Issue.record("\(manifest.outcome)")
            return
        }
        #expect(frames.map(\.frame) == [0] && frames.failures.map(\.frame) == [1])
        let letters = try await fixture.deadLetters()
        #expect(letters.map(\.failure.reason) == [.corrupt])
        #expect(letters.first?.failure.message.hasPrefix("1 of 2 frames became photos. Frame 2: ") == true)
        #expect(letters.first?.value == job.encoded())
    }
}
