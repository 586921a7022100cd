import Foundation
import Samples
import Testing

struct CameraProfileTests {
    @Test("A camera without a profile in the folder is named after the run, with its number of photos, and in JSON")
    func withoutProfile() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let profiles = workspace.folder.appending(path: "profiles")
        try FileManager.default.createDirectory(at: profiles, withIntermediateDirectories: true)
        try Data(ProfileWriter(camera: "Canon EOS 5D").file()).write(to: profiles.appending(path: "a.dcp"))
        let options = ["--dcp", profiles.path, "--long-edge", "64"]
        let ended = try workspace.convert(options)
        #expect(
            ended.status == 0 && ended.output.contains("--dcp lacks these cameras:"), "\(ended.output) \(ended.errors)")
        #expect(ended.lines.contains("  Rawmill Sample (2 photos)"), "\(ended.output)")
        let camera = SampleCamera()
        let own = ProfileWriter(camera: "\(camera.make) \(camera.model)").file()
        try Data(own).write(to: profiles.appending(path: "b.dcp"))
        let found = try workspace.convert(options + ["--look", "mono"])
        #expect(found.status == 0 && !found.output.contains("--dcp"), "\(found.output)")
        try FileManager.default.removeItem(at: profiles.appending(path: "b.dcp"))
        let events = try workspace.convert(options + ["--look", "sepia", "--json"]).events("completed")
        #expect(events.count == 2 && events.allSatisfy { $0["cameraWithoutProfile"] as? String == "Rawmill Sample" })
    }
}
