import Foundation
import PictureFormat
import Pixels
import Samples
import Testing

@Suite("Bursts") struct BurstTests {
    @Test("A burst with a truncated frame shows the other frame, reports it, and leaves a library without findings")
    func cutFrame() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        let size = PixelSize(width: 300, height: 200)
        let first = DNGPicture(
            plane: camera.expose(SampleScene(seed: 3), size: size, layout: layout), layout: layout)
        let second = DNGPicture(
            plane: camera.expose(SampleScene(seed: 4), size: size, layout: layout), layout: layout)
        let whole = DNGWriter(camera: camera).file(first, second)
        try Data(whole.dropLast(2000)).write(to: workspace.raw.appending(path: "burst.dng"))
        let ended = try workspace.convert("--json", "--originals", "move")
        #expect(ended.status == 0, "\(ended.errors)")
        let completed = try #require(try ended.events("completed").first)
        let degraded = try #require(completed["degraded"] as? String)
        #expect(degraded.hasPrefix("1 of 2 frames became photos. Frame 2: "), "\(degraded)")
        #expect((completed["photos"] as? [String])?.count == 1)
        #expect(workspace.shownPhotos.filter { $0.hasSuffix(".jpg") }.count == 1)
        // Its second frame has no photo: the file stays where it is.
        #expect(FileManager.default.fileExists(atPath: workspace.raw.appending(path: "burst.dng").path))
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output)")
        // Nothing is new, and nothing is repeated.
        #expect(try workspace.convert("--json").events("completed").isEmpty)

        // On request, only the failed frame is rendered again. It is still truncated.
        let status = try Rawmill.run("status", "--json", "--library", workspace.library.path)
        #expect(try status.events("degraded").map { $0["retryable"] as? Bool } == [true])
        let photos = try workspace.fingerprint(of: workspace.library.appending(path: "objects"))
        let retried = try Rawmill.run(
            "retry", "--json", "--reason", "corrupt", "--library", workspace.library.path)
        #expect(retried.status == 0, "\(retried.errors)")
        let again = try #require(try retried.events("completed").first)
        #expect(again["reused"] as? Int == 1 && again["degraded"] as? String == degraded)
        #expect(try workspace.fingerprint(of: workspace.library.appending(path: "objects")) == photos)
        let told = try Rawmill.run("retry", "--library", workspace.library.path)
        #expect(told.output.contains("Retrying the failed frames of 1 file."), "\(told.output)")
        #expect(told.output.contains("1 photo already existed"), "\(told.output)")
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }
}
