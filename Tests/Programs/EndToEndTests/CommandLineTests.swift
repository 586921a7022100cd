import ExternalTools
import Foundation
import Glibc
import Testing

struct CommandLineTests {
    @Test(
        "Wrong usage ends with status 64 and the remedy",
        arguments: [
            (["convrt"], "Did you mean convert?"), (["export"], "Did you mean convert?"),
            (["help", "conver"], "Did you mean convert?"),
            (["convert"], "SOURCE is missing: give RAW files, or folders to search for them"),
            (["convert", "x"], "Give --out DIR for photos in a folder, or --library DIR for a library."),
            (["convert", "x", "--library", "y", "--quality", "101"], "from 1 to 100"),
            (
                ["convert", "x", "--library", "y", "--look", "velvt"],
                "there is no look \"velvt\". Did you mean velvet?"
            ),
            (["convert", "x", "--library", "y", "--look", "mono@9"], "use one of mono@1"),
            (["convert", "x", "--library", "y", "--look", "none.cube"], "cannot read none.cube"),
            (["convert", "x", "--library", "y", "--colour-space", "rgb"], "one of srgb, display-p3, adobe-rgb"),
            (["looks", "show", "nothing"], "there is no look \"nothing\""),
            (["library", "list", "--library", "/nonexistent"], "is not a library"),
            (
                ["library", "list", "--library", "/tmp", "--where", "kamera = 'x'"],
                "column 1: there is no field \"kamera\""
            ),
            (["library", "list", "--library", "/tmp", "--log-level", "loud"], "one of debug, info, warning, error"),
        ])
    func usage(arguments: [String], expected: String) throws {
        let ended = try Rawmill.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains(expected), "\(ended.errors)")
        #expect(ended.output.isEmpty)
    }

    @Test(
        "A command whose output finds no space reports it, and does not succeed",
        arguments: [["looks", "list"], ["--version"], ["convert", "--help"]])
    func fullOutput(arguments: [String]) throws {
        let script = #""$0" "$@" 2>&1 >/dev/full; echo $?"#
        let said = try ExternalTool.run("sh", ["-c", script, Rawmill.program.path] + arguments)
        #expect(said.contains("is incomplete: No space left on device") && said.hasSuffix("\n70\n"), "\(said)")
        let left = #"{ "$0" "$@"; echo $? >&2; } 2>&1 >/dev/null | true"#
        #expect(try ExternalTool.run("sh", ["-c", left, Rawmill.program.path] + arguments).isEmpty)
    }

    @Test("If standard descriptors are closed, no other file gets their numbers or the output")
    func closedOutput() async throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let watch = Process()
        watch.executableURL = URL(fileURLWithPath: "/bin/sh")
        watch.arguments =
            ["-c", #"exec "$0" "$@" <&- >&- 2>&-"#, Rawmill.program.path]
            + ["watch", workspace.raw.path, "--library", workspace.library.path]
        try watch.run()
        let process = watch.processIdentifier
        defer {
            kill(process, SIGKILL)
            watch.waitUntilExit()
        }
        func targets() -> [String?] {
            (0...2).map { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\($0)") }
        }
        let end = ContinuousClock.now + .seconds(60)
        while workspace.shownPhotos.isEmpty, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(20)) }
        #expect(targets() == ["/dev/null", "/dev/null", "/dev/null"])
    }

    @Test("Bytes of a file that is not a LUT reach the terminal only escaped")
    func hostileTable() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let table = folder.appending(path: "hostile.cube")
        try Data("TITLED\u{1B}]0;mine\u{07}".utf8).write(to: table)
        let ended = try Rawmill.run("convert", "x", "--library", "y", "--look", table.path)
        #expect(ended.status == 64)
        #expect(ended.errors.contains(#"TITLED\x1b]0;MINE\x07 is not known"#), "\(ended.errors)")
    }

    @Test("A library that is a file is reported as one")
    func fileAsLibrary() throws {
        let ended = try Rawmill.run("convert", "x", "--library", #filePath)
        #expect(ended.status == 64)
        #expect(ended.errors.contains("it is not a folder"), "\(ended.errors)")
    }

    @Test("A group without a command shows its help", arguments: [[], ["library"], ["looks"], ["album"], ["topics"]])
    func bareGroup(words: [String]) throws {
        let bare = try Rawmill.run(words)
        #expect(bare.status == 0 && bare.errors.isEmpty)
        #expect(bare.output == (try Rawmill.run(words + ["--help"]).output))
    }

    @Test("Every command's help fits into 80 columns")
    func help() throws {
        let commands = [
            [], ["convert"], ["library"], ["library", "list"], ["library", "show"], ["library", "verify"],
            ["library", "rebuild"], ["status"], ["retry"], ["looks"], ["looks", "list"], ["looks", "show"], ["sample"],
            ["looks", "import"], ["looks", "export"], ["looks", "lint"], ["looks", "identity"],
            ["looks", "schema"], ["looks", "sheet"], ["looks", "compare"],
            ["completion"], ["help"], ["version"], ["cameras"], ["doctor"],
            ["manual"],
        ]
        for command in commands {
            let asked = try Rawmill.run(command + ["--help"])
            #expect(asked.status == 0 && asked.errors.isEmpty)
            #expect(asked.output.contains("Usage: \((["rawmill"] + command).joined(separator: " "))"))
            #expect(asked.lines.allSatisfy { $0.count <= 80 })
            #expect(try Rawmill.run(["help"] + command).output == asked.output)
        }
    }

    @Test("The manual has a page for every command, and a missing page is named")
    func manual() throws {
        let pages = try Rawmill.run("manual").lines
        #expect(Set(pages).isSuperset(of: ["rawmill", "rawmill-convert", "rawmill-library-list", "rawmill-doctor"]))
        let convert = try Rawmill.run("manual", "rawmill-convert").output
        #expect(convert.hasPrefix(".TH ") && convert.contains("\\-\\-long\\-edge"))
        let missing = try Rawmill.run("manual", "rawmill-nothing")
        #expect(missing.status == 64 && missing.errors.contains("There is no page \"rawmill-nothing\""))
    }

    @Test("Short forms mean one thing in all commands, and closed options offer their values to every shell")
    func options() throws {
        let fish = try Rawmill.run("completion", "fish").lines
        for (short, long) in [
            "q": "quiet", "n": "dry-run", "o": "out", "j": "jobs", "l": "library", "y": "yes", "b": "broker",
        ] {
            let lines = fish.filter { $0.contains(" -s \(short) ") }
            #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(" -l \(long) ") }, "\(short): \(lines)")
        }
        #expect(try Rawmill.run("sample", "-n", "1", "--out", "x").errors.contains("-n is not an option here."))
        let values = [
            "format": "jpeg tiff png avif jxl", "long-edge": "full 1600", "noise": "auto 0", "strip": "all location",
            "lens": "auto off",
            "white-balance": "as-shot", "min-rating": "-1 0", "brightness": "camera",
            "originals": "reference copy move",
        ]
        for shell in ["bash", "zsh", "fish"] {
            let script = try Rawmill.run("completion", shell).lines
            for (option, words) in values {
                let isOffered = script.contains { line in
                    line.contains(option) && line.contains(words)
                }
                #expect(isOffered, "\(shell): --\(option)")
            }
        }
    }

    @Test("The version is printed with the engine's")
    func version() throws {
        let version = try Rawmill.run("version")
        #expect(version.output.wholeMatch(of: /rawmill \d+\.\d+\.\d+(-dev)? \(engine \d+\)\n/) != nil)
        #expect(try Rawmill.run("--version").output == version.output)
    }

    @Test("Looks are listed for users and programs")
    func looks() throws {
        let names = try Rawmill.run("looks", "list", "--json").events.compactMap { $0["name"] as? String }
        #expect(Set(names).isSuperset(of: ["neutral", "mono", "sepia", "invert"]))
        for name in names {
            #expect(try Rawmill.run("looks", "list").output.contains("\(name)@"))
            #expect(try Rawmill.run("looks", "show", name).output.contains("SHA-256"))
        }
    }

    @Test("A reader that leaves early does no harm")
    func head() throws {
        let command = "'\(Rawmill.program.path)' help convert | head -n 1; echo ${PIPESTATUS[0]}"
        #expect(try ExternalTool.run("bash", ["-c", command]).hasSuffix("\n0\n"))
    }

    @Test(
        "Samples are the same on every run, valid, and never overwrite another file", .needs(.program("exiftool")))
    func samples() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let first = workspace.files(below: workspace.raw)
        #expect(first == ["sample-0001.dng", "sample-0002.dng"])
        let before = try workspace.fingerprint(of: workspace.raw)
        try workspace.makeSamples(2)
        #expect(try workspace.fingerprint(of: workspace.raw) == before)
        let other = try Rawmill.run("sample", "--out", workspace.raw.path, "--count", "1", "--megapixels", "0.2")
        #expect(other.status == 64 && other.errors.contains("exists with other contents"))
        #expect(try workspace.fingerprint(of: workspace.raw) == before)
        let complaints = try ExternalTool.run(
            "exiftool", ["-validate", "-warning", "-error", "-a", "-s3", workspace.raw.path])
        #expect(!complaints.contains("Warning") && !complaints.contains("Error"), "\(complaints)")
    }

    @Test("A folder that cannot be written is reported, with the status of a fault")
    func unwritable() throws {
        let ended = try Rawmill.run("sample", "--out", "/proc/nothing", "--count", "1")
        #expect(ended.status == 70 && ended.errors.contains("/proc/nothing"))
    }
}
