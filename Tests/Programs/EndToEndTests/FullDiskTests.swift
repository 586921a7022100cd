import ExternalTools
import Foundation
import SeededRandom
import Testing

@Suite(.needs(.mounting)) struct FullDiskTests {
    /// Contents of the small disk.
    enum Place: CaseIterable { case library, out, state }

    /// Which part first finds no space depends on the size of the disk, and on timing. Earlier, the embedded broker
    /// silently waited for space.
    @Test(
        "A run on a disk that fills up ends with a report after any failed write, and the next one continues",
        arguments: Place.allCases)
    func anywhere(place: Place) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.05)
        let sample = try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))
        let count = 60
        for number in 1..<count {
            try (sample + Data("\(number)".utf8)).write(to: workspace.raw.appending(path: "copy-\(number).dng"))
        }
        var random = SeededGenerator()
        print("\(place) on full disks: seed \(random.seed)")
        for _ in 0..<4 {
            let bytes = Int.random(in: 400 << 10...(place == .out ? 1200 : 2600) << 10, using: &random)
            let disk = try SmallDisk(bytes: bytes)
            let out = workspace.folder.appending(path: "out-\(bytes)").path
            let destination =
                switch place {
                case .library: ["--library", "\(disk.path)/film"]
                case .out: ["--out", "\(disk.path)/out", "--state", out + ".state"]
                case .state: ["--out", out, "--state", "\(disk.path)/state"]
                }
            let convert = ["convert", workspace.raw.path, "-j", "2"] + destination
            let running = try Running(convert)
            #expect(running.wait(seconds: 60) { !running.isRunning }, "\(bytes) bytes: it waits")
            running.send(SIGKILL)
            let full = running.wait()
            #expect(full.status == 70, "\(bytes) bytes: \(full.errors)")
            #expect(full.errors.contains("full") && full.errors.contains("Free some space"), "\(bytes): \(full.errors)")
            try disk.grow(toBytes: 64 << 20)
            #expect(try Rawmill.run(convert).status == 0)
            let photos = URL(fileURLWithPath: destination[1] + (place == .library ? "/photos" : ""))
            #expect(workspace.files(below: photos).count == count, "\(bytes) bytes")
            guard place == .library else { continue }
            #expect(try Rawmill.run(["audit"] + destination).status == 0)
            #expect(try Rawmill.run(["library", "verify"] + destination).output.contains("\(count) photos"))
        }
    }
}
