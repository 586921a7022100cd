import ExternalTools
import Foundation
import SeededRandom
import Testing

/// `rawmill convert --out`: JPEGs in a folder, and no library.
struct FolderConversionTests {
    private let workspace: Workspace
    private var out: URL { workspace.folder.appending(path: "jpeg") }
    private var cache: URL { workspace.folder.appending(path: "cache") }

    init() throws { workspace = try Workspace() }

    private func command(_ options: [String]) -> [String] {
        ["convert", workspace.raw.path, "--out", out.path] + options
    }

    private func convert(_ options: String...) throws -> Rawmill.Ended {
        try Rawmill.run(command(options), environment: ["XDG_CACHE_HOME": cache.path])
    }

    @Test("A folder of RAWs becomes a folder of JPEGs, and a repeated run does nothing", .needs(.program("identify")))
    func converts() throws {
        try workspace.makeSamples(2)
        try workspace.makeSamples(1, first: 3, in: workspace.raw.appending(path: "sub"))
        let ended = try convert()
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.errors)")
        let expected = ["sample-0001.neutral.jpg", "sample-0002.neutral.jpg", "sub/sample-0003.neutral.jpg"]
        #expect(workspace.files(below: out) == expected)
        for name in expected {
            #expect(try ExternalTool.run("identify", ["-format", "%m", out.appending(path: name).path]) == "JPEG")
        }
        let before = try workspace.fingerprint(of: out)
        let again = try convert("--json")
        #expect(again.status == 0)
        #expect(try again.events("summary").first?["unchanged"] as? Int == 3)
        #expect(try workspace.fingerprint(of: out) == before)
        #expect(!workspace.files(below: cache).contains { $0.contains("objects/") || $0.contains("previews/") })
    }

    @Test("A removed photo is made again; an edited one stays unchanged")
    func missing() throws {
        try workspace.makeSamples(2)
        #expect(try convert().status == 0)
        try FileManager.default.removeItem(at: out.appending(path: "sample-0001.neutral.jpg"))
        try Data("edited".utf8).write(to: out.appending(path: "sample-0002.neutral.jpg"))
        let ended = try convert("--json")
        #expect(ended.status == 0)
        #expect(try ended.events("completed").count == 1)
        #expect(try Data(contentsOf: out.appending(path: "sample-0002.neutral.jpg")) == Data("edited".utf8))
        #expect(workspace.files(below: out).count == 2)
    }

    @Test("Without its records it recognises its own photos and makes no second ones")
    func lostState() throws {
        try workspace.makeSamples(2)
        #expect(try convert().status == 0)
        let before = try workspace.fingerprint(of: out)
        try FileManager.default.removeItem(at: cache)
        #expect(try convert().status == 0)
        #expect(try workspace.fingerprint(of: out) == before)
    }

    @Test("Names, looks and sizes follow the options: every photo once, none dropped", .needs(.program("identify")))
    func variants() throws {
        try workspace.makeSamples(1)
        let ended = try convert(
            "--look", "mono", "--look", "sepia", "--long-edge", "full", "--long-edge", "200", "--name",
            "{look}/{base}")
        #expect(ended.status == 0, "\(ended.errors)")
        let expected = ["mono", "sepia"].flatMap { look in
            ["\(look)/sample-0001.200px.jpg", "\(look)/sample-0001.jpg"]
        }
        #expect(workspace.files(below: out) == expected)
        let small = out.appending(path: expected[0]).path
        #expect(try ExternalTool.run("identify", ["-format", "%wx%h", small]) == "200x133")
    }

    @Test("An existing file is kept, or replaced only on request")
    func conflicts() throws {
        try workspace.makeSamples(1)
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        let taken = out.appending(path: "sample-0001.neutral.jpg")
        try Data("theirs".utf8).write(to: taken)
        let skipped = try convert("--on-conflict", "skip", "--json")
        #expect(skipped.status == 0)
        #expect(try skipped.events("skipped").first?["reason"] as? String == "name-taken")
        #expect(workspace.files(below: out).count == 1)
        let state = workspace.folder.appending(path: "other-state").path
        #expect(try convert("--state", state).status == 0)
        #expect(workspace.files(below: out) == ["sample-0001.neutral-2.jpg", "sample-0001.neutral.jpg"])
        #expect(try Data(contentsOf: taken) == Data("theirs".utf8))
        let third = workspace.folder.appending(path: "third-state").path
        #expect(try convert("--state", third, "--on-conflict", "replace").status == 0)
        #expect(try Data(contentsOf: taken) != Data("theirs".utf8))
    }

    @Test(
        "Killed at any moment and run again, every photo is there once and complete, and nothing else",
        arguments: [1, 2])
    func killed(seed: UInt64) throws {
        let count = 6
        try workspace.makeSamples(count)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<6 {
            let running = try Running(command(["-j", "2"]), environment: ["XDG_CACHE_HOME": cache.path])
            usleep(UInt32.random(in: 100_000...1_500_000, using: &random))
            running.send(SIGKILL)
            _ = running.wait()
            // Complete under its name or not there at all, without temporary files, at every moment.
            for name in workspace.files(below: out) {
                let bytes = try Data(contentsOf: out.appending(path: name))
                #expect(
                    name.hasSuffix(".neutral.jpg") && bytes.suffix(2) == Data([0xFF, 0xD9]), "seed \(seed): \(name)")
            }
        }
        let ended = try convert("--retry-failed")
        #expect(ended.status == 0, "seed \(seed): \(ended.output) \(ended.errors)")
        #expect(workspace.files(below: out) == (1...count).map { "sample-000\($0).neutral.jpg" }, "seed \(seed)")
        for number in 1...count {
            let bytes = try Data(contentsOf: out.appending(path: "sample-000\(number).neutral.jpg"))
            #expect(bytes.suffix(2) == Data([0xFF, 0xD9]))
        }
    }

    @Test(
        "A list of files, separated by newlines or zero bytes, selects the files to convert", arguments: ["\n", "\0"])
    func lists(separator: String) throws {
        try workspace.makeSamples(3)
        let list = workspace.folder.appending(path: "list")
        let names = [1, 3].map { workspace.raw.appending(path: "sample-000\($0).dng").path }
        try Data((names.joined(separator: separator) + separator).utf8).write(to: list)
        let ended = try Rawmill.run(
            ["convert", "--files-from", list.path, "--out", out.path], environment: ["XDG_CACHE_HOME": cache.path])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(workspace.files(below: out) == ["sample-0001.neutral.jpg", "sample-0003.neutral.jpg"])
    }

    @Test("Excluded files and folders and those with fewer stars are left out, and counted")
    func choice() throws {
        try workspace.makeSamples(4)
        try workspace.makeSamples(1, first: 5, in: workspace.raw.appending(path: "private"))
        let packet = { (rating: Int) in
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
            """
        }
        try Data(packet(5).utf8).write(to: workspace.raw.appending(path: "sample-0001.xmp"))
        try Data(packet(2).utf8).write(to: workspace.raw.appending(path: "sample-0002.dng.xmp"))
        try Data(packet(4).utf8).write(to: workspace.raw.appending(path: "sample-0004.xmp"))
        let ended = try convert(
            "--min-rating", "3", "--exclude", "private/", "--exclude", "*-0004.dng", "--json")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(workspace.files(below: out) == ["sample-0001.neutral.jpg"])
        let planned = try #require(try ended.events("planned").first)
        #expect(planned["excluded"] as? Int == 2 && planned["ratedLower"] as? Int == 2)
    }

    @Test("Wrong usage is refused with a sentence that states the remedy")
    func refused() throws {
        for (arguments, words) in [
            (["convert", "x"], "--out DIR"), (["convert", "x", "--out", "a", "--library", "b"], "not both"),
            (["convert", "--out", "a"], "SOURCE"),
            (["convert", "x", "--out", "a", "--name", "../{base}"], "leads out"),
            (["convert", "x", "--out", "a", "--originals", "move"], "needs a library"),
        ] {
            let ended = try Rawmill.run(arguments, in: workspace.folder)
            #expect(ended.status == 64 && ended.errors.contains(words), "\(arguments): \(ended.errors)")
        }
    }
}
