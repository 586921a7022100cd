import ExternalTools
import Foundation
import Testing

/// A photographer's use of looks, from other programs and their own.
struct LookFileTests {
    private let workspace: Workspace
    private var environment: [String: String] {
        [
            "XDG_DATA_HOME": workspace.folder.appending(path: "data dir").path,
            "XDG_CACHE_HOME": workspace.folder.appending(path: "cache").path,
        ]
    }

    init() throws { workspace = try Workspace() }

    private func run(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(arguments, environment: environment)
    }

    private func path(_ name: String) -> String { workspace.folder.appending(path: name).path }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: workspace.folder.appending(path: name))
    }

    @Test("A table is imported with a warning about its assumed colours, and is then known by name")
    func table() throws {
        try write("LUT_1D_SIZE 2\n0 0 0\n1 1 0\n", to: "Warm  Print (v2).cube")
        let imported = try run("looks", "import", path("Warm  Print (v2).cube"))
        #expect(imported.status == 0 && imported.output.contains("warm-print-v2@1 is in "))
        #expect(imported.errors.contains("--input-space sets others"))
        #expect(try run("looks", "list").output.contains("warm-print-v2@1"))
        let again = try run("looks", "import", path("Warm  Print (v2).cube"), "--input-space", "srgb")
        #expect(again.status == 0 && again.errors.isEmpty && again.output.contains("already"))

        try write("LUT_1D_SIZE 2\n0 0 0\n1 0 0\n", to: "Warm  Print (v2).cube")
        let changed = try run("looks", "import", path("Warm  Print (v2).cube"), "--input-space", "srgb")
        #expect(changed.status == 64 && changed.errors.contains("another version (2)"), "\(changed.errors)")
        let second = try run(
            "looks", "import", path("Warm  Print (v2).cube"), "--input-space", "srgb", "--look-version", "2")
        #expect(second.status == 0)

        try workspace.makeSamples(1)
        for look in ["warm-print-v2", "warm-print-v2@1"] {
            let ended = try run("convert", workspace.raw.path, "--out", path(look), "--look", look)
            #expect(ended.status == 0, "\(ended.errors)")
        }
        let photos = try ["warm-print-v2", "warm-print-v2@1"].map { folder in
            let folder = workspace.folder.appending(path: folder)
            let names = workspace.files(below: folder)
            return try Data(contentsOf: folder.appending(path: try #require(names.first)))
        }
        #expect(photos[0] != photos[1])
    }

    @Test("A look in YAML is used from its file, kept in a library, and cannot change there")
    func yaml() throws {
        try write("LUT_1D_SIZE 2\n0 0 0\n1 1 0.9\n", to: "grade.cube")
        func evening(_ push: Double) throws {
            try write(
                "rawmill-look: 1\nname: evening\nversion: 1\nsummary: A soft end of the day.\nsteps:\n"
                    + "  - {look: velvet, push: \(push)}\n  - table: grade.cube\n",
                to: "evening.yaml")
        }
        try evening(0.5)
        try workspace.makeSamples(1)
        let library = path("library")
        #expect(
            try run("looks", "import", path("evening.yaml"), "--library", library).errors.contains("is not a library"))
        let first = try run("convert", workspace.raw.path, "--library", library, "--look", path("evening.yaml"))
        #expect(first.status == 0, "\(first.errors)")
        #expect(try run("looks", "list", "--library", library).output.contains("evening@1  A soft end of the day."))
        let known = try run("looks", "import", path("evening.yaml"), "--library", library)
        #expect(known.status == 0 && known.output.contains("already"), "\(known.errors)")
        let byName = try run("convert", workspace.raw.path, "--library", library, "--look", "evening@1", "--json")
        let made = try byName.events("completed")
        #expect(byName.status == 0 && made.isEmpty, "it is the same photo")

        // A chain over it, whose steps become part of the chain.
        for (chain, count) in [
            ("evening(push=1)+CISepiaTone(intensity=0.4)", 1), ("evening(push=1)+cisepiatone(intensity=0.4)", 0),
        ] {
            let ended = try run("convert", workspace.raw.path, "--library", library, "--look", chain, "--json")
            #expect(try ended.status == 0 && ended.events("completed").count == count, "\(ended.errors)")
        }
        #expect(
            try run("looks", "list", "--library", library).output.contains("evening-push1-cisepiatone-intensity0-4"))
        let strong = try run(
            "convert", workspace.raw.path, "--library", library, "--look", "evening(strength=0.5)+mono")
        #expect(strong.status == 64 && strong.errors.contains("has several steps"), "\(strong.errors)")

        try evening(0.6)
        for ended in [
            try run("convert", workspace.raw.path, "--library", library, "--look", path("evening.yaml")),
            try run("looks", "import", path("evening.yaml"), "--library", library),
        ] { #expect(ended.status == 64 && ended.errors.contains("another version (2)"), "\(ended.errors)") }
    }

    @Test("Invalid files are named with their line, and nothing is kept")
    func mistakes() throws {
        try write("LUT_3D_SIZE 2\n0 0\n", to: "bad.cube")
        try write("rawmill-look: 1\nname: a\nsteps:\n  - table: gone.cube\n", to: "gone.yaml")
        try write("LUT_1D_SIZE 2\n0 0 0\n1 1 1\n", to: "velvet.cube")
        for (file, problem) in [
            ("bad.cube", "line 2: expected 3 numbers"), ("gone.yaml", "line 4, column 12"),
            ("velvet.cube", "another --name"),
            ("none.cube", "No such file"),
        ] {
            let ended = try run("looks", "import", path(file))
            #expect(ended.status == 64 && ended.errors.contains(problem), "\(ended.errors)")
        }
        let lint = try run("looks", "lint", path("bad.cube"), path("velvet.cube"))
        #expect(lint.status == 3 && lint.errors.contains("line 2") && lint.output.contains("1-D table"))
        #expect(!FileManager.default.fileExists(atPath: path("data dir")))
        // A file in the folder was renamed.
        #expect(try run("looks", "import", path("velvet.cube"), "--name", "mine").status == 0)
        let folder = workspace.folder.appending(path: "data dir/rawmill/looks")
        try FileManager.default.moveItem(
            at: folder.appending(path: "mine@1.look"), to: folder.appending(path: "yours@3.look"))
        let renamed = try run("looks", "show", "yours")
        #expect(renamed.status == 64 && renamed.errors.contains("holds mine@1"))
    }

    @Test("An exported and reimported look does the same, in both formats")
    func roundTrip() throws {
        for (format, ending) in [("cube", "cube"), ("hald", "png")] {
            let file = path("sepia out.\(ending)")
            let exported = try run("looks", "export", "sepia", "--format", format, "--out", file)
            #expect(exported.status == 0 && exported.errors.isEmpty, "\(exported.errors)")
            let again = try run("looks", "export", file, "--out", path("again.\(ending)"))
            #expect(again.status == 0, "\(again.errors)")
            if format == "hald" {
                let files = try [file, path("again.png")].map { try Data(contentsOf: URL(filePath: $0)) }
                #expect(files[0] == files[1])
            }
            #expect(try run("looks", "export", "mono", "--format", format, "--out", file).status == 64)
        }
        let film = try run("looks", "export", "velvet", "--out", path("velvet.cube"))
        #expect(film.status == 0 && film.errors.contains("grain and halation"))
        let moved = try run(
            "looks", "export", "velvet+CIMotionBlur+CIVignette(intensity=1)+CIEdges", "--out", path("moved.cube"))
        #expect(moved.status == 0)
        for part in ["the film's grain and halation", "CIMotionBlur", "the shade of CIVignette", "CIEdges"] {
            #expect(moved.errors.contains("\(part) of "), "\(moved.errors)")
            #expect(try String(contentsOfFile: path("moved.cube"), encoding: .utf8).contains("# Without \(part), "))
        }
    }

    @Test(
        "A sheet shows a photo in the requested looks, and leaves no files behind",
        .needs(.program("identify")))
    func sheet() throws {
        try workspace.makeSamples(1)
        let raw = try #require(workspace.files(below: workspace.raw).first)
        let photo = workspace.raw.appending(path: raw).path
        var environment = environment
        environment["TMPDIR"] = path("tmp")
        try FileManager.default.createDirectory(atPath: path("tmp"), withIntermediateDirectories: true)
        let out = path("two looks.png")
        let ended = try Rawmill.run(
            [
                "looks", "sheet", photo, "--looks", "velvet,silver(push=1,grain=0)", "--look", "mono(strength=0.5)",
                "--columns", "3",
                "--long-edge", "300", "--out", out,
            ], environment: environment)
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.errors)")
        #expect(ended.output.contains("948 × "), "three pictures of 300 pixels and four gaps: \(ended.output)")
        #expect(FileManager.default.fileExists(atPath: out))
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("tmp")).isEmpty)
        #expect(try ExternalTool.run("identify", ["-format", "%m %w", out]) == "PNG 948")

        let compared = try Rawmill.run(
            ["looks", "compare", photo, "velvet", "velvet(push=1)", "--long-edge", "200", "--out", path("c.png")],
            environment: environment)
        #expect(compared.status == 0 && compared.output.contains("Mean difference"), "\(compared.errors)")
        for (arguments, problem) in [
            (["looks", "compare", photo, "velvet", "velvet@1"], "the two looks are the same"),
            (["looks", "sheet", photo, "--looks", "mono,none"], "there is no look"),
            (["looks", "sheet", photo, "--looks", "mono,,sepia"], "looks separated by commas"),
            (["looks", "sheet", path("none.nef"), "--look", "mono"], "none.nef"),
            (["looks", "sheet", photo, "--out", path("x.jpg")], "end the name with .png"),
        ] {
            let refused = try Rawmill.run(arguments, environment: environment)
            #expect(refused.status != 0 && refused.errors.contains(problem), "\(refused.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path("tmp")).isEmpty)
    }
}
