import Foundation
import Testing

/// Several looks, sizes and qualities of a photo are separate photos that share a decoding.
struct SeveralLooksTests {
    private let workspace: Workspace
    private var cache: [String: String] { ["XDG_CACHE_HOME": workspace.folder.appending(path: "cache").path] }

    init() throws { workspace = try Workspace() }

    private func decodings(_ ended: Rawmill.Ended) throws -> [Bool] {
        try ended.events("completed").map { ($0["milliseconds"] as? [String: Any])?["decode"] != nil }
    }

    /// Each photo's bytes by name.
    private func photos(below folder: URL) throws -> [String: Data] {
        let names = workspace.files(below: folder)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    @Test("Looks and sizes share a decoding, and have the same bytes as alone", arguments: [1, 2])
    func oneDecoding(slots: Int) throws {
        try workspace.makeSamples(6)
        let looks = ["--look", "mono", "--look", "sepia", "--long-edge", "full", "--long-edge", "300"]
        let together = try workspace.convert(["--json", "-j", "\(slots)"] + looks)
        #expect(together.status == 0, "\(together.errors)")
        let decoded = try decodings(together).count { $0 }
        #expect(try decodings(together).count == 24)
        // A look whose job arrives late is decoded separately.
        #expect((6..<24).contains(decoded), "\(decoded)")

        let alone = workspace.folder.appending(path: "alone")
        for look in ["mono", "sepia"] {
            for size in ["full", "300"] {
                let ended = try Rawmill.run(
                    "convert", workspace.raw.path, "--library", alone.path, "--look", look, "--long-edge", size)
                #expect(ended.status == 0, "\(ended.errors)")
            }
        }
        let shown = try photos(below: workspace.photos)
        #expect(shown.count == 24)
        #expect(shown == (try photos(below: alone.appending(path: "photos"))))
    }

    @Test("Looks in a folder without a library also share it, and a failing one is tried for each quality")
    func export() throws {
        try workspace.makeSamples(3)
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.nef"))
        let out = workspace.folder.appending(path: "jpeg")
        let ended = try Rawmill.run(
            [
                "convert", workspace.raw.path, "--out", out.path, "--json", "-j", "1", "--quality", "80", "--quality",
                "95",
            ],
            environment: cache)
        #expect(ended.status == 3)
        #expect(try decodings(ended).count == 6 && decodings(ended).contains(false))
        #expect(try ended.events("failed").count == 2 && workspace.files(below: out).count == 6)
    }

    @Test("A file that fails in each of its looks is named once, by convert, retry and status")
    func namedOnce() throws {
        try workspace.makeSamples(1)
        for name in ["a.nef", "b.nef"] { try Data("no RAW".utf8).write(to: workspace.raw.appending(path: name)) }
        let ended = try workspace.convert("--look", "mono", "--look", "sepia", "--look", "neutral")
        let retried = try Rawmill.run("retry", "--library", workspace.library.path)
        #expect(retried.output.contains("Retrying 2 failed files."), "\(retried.output)")
        for run in [ended, retried] {
            #expect(run.status == 3)
            let named = run.lines.filter { $0.contains(".nef") }.map { $0.split(separator: ":").first ?? "" }
            #expect(named.sorted() == ["failed raw/a.nef", "failed raw/b.nef"], "\(run.output)")
            #expect(run.lines.contains { $0.hasPrefix("not-raw (2 files): ") }, "\(run.output)")
        }
        let status = try Rawmill.run("status", "--library", workspace.library.path)
        let named = status.lines.filter { $0.contains(".nef") && !$0.hasPrefix("    ") }
        #expect(named == ["  raw/a.nef (3 photos)", "  raw/b.nef (3 photos)"], "\(status.output)")
        #expect(status.lines.contains("raw is \(workspace.raw.path)"), "\(status.output)")
    }

    @Test("Two looks of one name are refused, because one photo would overwrite the other; a repeated look counts once")
    func sameName() throws {
        try workspace.makeSamples(1)
        let out = workspace.folder.appending(path: "jpeg")
        func convert(_ looks: [String]) throws -> Rawmill.Ended {
            try Rawmill.run(
                ["convert", workspace.raw.path, "--out", out.path] + looks.flatMap { ["--look", $0] },
                environment: cache)
        }
        let refused = try convert(["sepia@1", "sepia@2"])
        #expect(refused.status == 64 && refused.errors.contains("two different looks are called sepia"))
        #expect(workspace.files(below: out).isEmpty)
        #expect(try convert(["sepia", "sepia@2"]).status == 0)
        #expect(workspace.files(below: out).count == 1)
    }

    @Test("A run that is killed and continued ends with every look of every photo")
    func killed() throws {
        try workspace.makeSamples(6)
        let command = ["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "2"]
        let looks = ["--look", "mono", "--look", "sepia"]
        for delay in [300_000, 600_000] as [UInt32] {
            let running = try Running(command + looks)
            usleep(delay)
            running.send(SIGKILL)
            _ = running.wait()
        }
        let ended = try Rawmill.run(command + looks)
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        #expect(workspace.shownPhotos.count == 12)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }
}
