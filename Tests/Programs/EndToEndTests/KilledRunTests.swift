import ExternalTools
import Database
import Foundation
import SeededRandom
import Testing

/// Runs after killed runs, and with an inconsistent broker file.
@Suite(.serialized) struct KilledRunTests {
    @Test("Fifteen kill -9 of convert over thirty photos leave thirty photos, and none is blamed", .night)
    func kills() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let workspace = try Workspace()
        try workspace.makeSamples(30, megapixels: 10)
        let command = ["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "2", "--json"]
        for _ in 0..<15 {
            let running = try Running(command)
            let children = ProcessTree.children(of: running.identifier)
            usleep(UInt32.random(in: 100_000...800_000, using: &random))
            running.send(SIGKILL)
            _ = running.wait()
            #expect(ProcessTree.areGone(children, within: 60))
        }
        let ended = try Rawmill.run(command)
        #expect(ended.status == 0, "\(ended.output)")
        let audit = LibraryAudit(library: workspace.library)
        #expect(try audit.failedPaths() == [])
        #expect(workspace.shownPhotos.count == 30)
        try audit.checkQuiet()
    }

    @Test("A run with an inconsistent broker file ends with a message, and continues once the file is removed")
    func constraint() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let file = workspace.library.appending(path: ".rawmill/broker.sqlite")
        // A record already has the offset of the next manifest, in any partition.
        try Connection(path: file.path).run(
            """
            INSERT INTO records (place, milliseconds, key, value)
            SELECT id << 44 | next_offset, 0, x'', x'' FROM partitions WHERE topic = 'rawmill.manifests'
            """)
        try workspace.makeSamples(1, first: 2)
        let running = try Running(["convert", workspace.raw.path, "--library", workspace.library.path])
        _ = running.wait(seconds: 120) { false }
        running.send(SIGKILL)
        let ended = running.wait()
        #expect(ended.status == 70, "\(ended.errors)")
        #expect(ended.errors.contains("Move it away"), "\(ended.errors)")
        for name in try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
        where name.hasPrefix("broker.sqlite") {
            try FileManager.default.removeItem(at: file.deletingLastPathComponent().appending(path: name))
        }
        let again = try workspace.convert()
        #expect(again.status == 0, "\(again.errors)")
        #expect(workspace.shownPhotos.count == 2)
    }
}
