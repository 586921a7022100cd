import ExternalTools
import Foundation
import SeededRandom
import Testing

@Suite(.needs(.mounting)) struct FullDiskTests {
    /// Which of the library's parts finds no space first depends on the size of the disk, and on who is faster.
    @Test("A run on a disk that gets full ends and says so, whatever was written last, and the next one carries on")
    func anywhere() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.05)
        let sample = try Data(contentsOf: try #require(sources(of: workspace).first))
        let count = 60
        for number in 1..<count {
            let name = workspace.raw.appending(path: "copy-\(number).dng")
            try (sample + Data("\(number)".utf8)).write(to: name)
        }
        var random = SeededGenerator()
        print("sizes of full disks: seed \(random.seed)")
        for _ in 0..<8 {
            let bytes = Int.random(in: 800 << 10...2600 << 10, using: &random)
            let disk = try SmallDisk(bytes: bytes)
            let convert = ["convert", workspace.raw.path, "--library", disk.path + "/film", "-j", "2"]
            let running = try Running(convert)
            #expect(running.wait(seconds: 60) { !running.isRunning }, "\(bytes) bytes: it waits")
            running.send(SIGKILL)
            let full = running.wait()
            #expect(full.status == 70, "\(bytes) bytes: \(full.errors)")
            #expect(
                full.errors.contains("full") && full.errors.contains("Free some space"),
                "\(bytes) bytes: \(full.errors)")
            try disk.grow(toBytes: 64 << 20)
            #expect(try Rawmill.run(convert).status == 0)
            let library = ["--library", disk.path + "/film"]
            #expect(try Rawmill.run(["audit"] + library).status == 0)
            #expect(try Rawmill.run(["library", "verify"] + library).output.contains("\(count) photos"))
        }
    }

    private func sources(of workspace: Workspace) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: workspace.raw, includingPropertiesForKeys: nil)
    }
}
