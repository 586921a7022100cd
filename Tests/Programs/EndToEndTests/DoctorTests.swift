import ExternalTools
import Foundation
import Testing

/// `rawmill doctor` and `rawmill cameras`.
struct DoctorTests {
    @Test("The libraries, the machine and the library's folder are described, and nothing is left in the folder")
    func describes() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.library, withIntermediateDirectories: true)
        let ended = try Rawmill.run("doctor", "--library", workspace.library.path, "--json")
        let dependencies = try ended.events("dependency")
        let names = dependencies.compactMap { $0["name"] as? String }
        #expect(names.contains("LibRaw") && names == names.sorted { $0.lowercased() < $1.lowercased() })
        #expect(dependencies.allSatisfy { ($0["file"] as? String)?.contains(".so") == true }, "\(dependencies)")
        // Exempi, Lensfun and TurboJPEG have no function for their version.
        let versions = dependencies.filter { $0["version"] is String }.count
        #expect(versions >= 10)
        let machine = try #require(try ended.events("machine").first)
        #expect((machine["memoryBytes"] as? Int ?? 0) > 1 << 28)
        let sandbox = try #require(try ended.events("sandbox").first)
        #expect(sandbox["noNewPrivileges"] as? Bool == true && sandbox["noCapabilities"] as? Bool == true)
        let warned = try ended.events("finding").contains { $0["subject"] as? String == "sandbox" }
        #expect(warned == (sandbox["seccomp"] as? Bool != true || sandbox["landlock"] as? Int == 0))
        let folder = try #require(try ended.events("folder").first)
        #expect(folder["path"] as? String == workspace.library.path)
        #expect(folder["locks"] as? Bool == true && folder["hardLinks"] as? Bool == true)
        #expect(workspace.files(below: workspace.library).isEmpty)
        let problems = try ended.events("finding").filter { $0["weight"] as? String == "problem" }
        #expect(ended.status == (problems.isEmpty ? 0 : 3), "\(problems)")
        let text = try Rawmill.run("doctor", "--library", workspace.library.path)
        #expect(text.output.contains("LibRaw") && text.output.contains("hard links"))
        #expect(text.status == ended.status)
    }

    @Test("A missing library is a problem, with its name and a hint")
    func missing() throws {
        let ended = try Rawmill.run("doctor", "--library", "/nonexistent/film")
        #expect(ended.status == 3)
        #expect(ended.output.contains("problem  /nonexistent/film: It cannot be examined: "), "\(ended.output)")
        #expect(ended.errors.isEmpty)
    }

    @Test("If the render program is missing, each command that needs it names it and the remedy, and loses nothing")
    func noRenderProgram() throws {
        let workspace = try Workspace()
        let bin = workspace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let alone = bin.appending(path: "rawmill").path
        try FileManager.default.copyItem(atPath: Rawmill.program.path, toPath: alone)
        try workspace.makeSamples(1)
        let convert = ["convert", workspace.raw.path, "--library", workspace.library.path]
        for command in [convert, ["cameras"], ["doctor"], convert + ["--dcp", alone]] {
            let said = try ExternalTool.run("sh", ["-c", #""$0" "$@" 2>&1; echo $?"#, alone] + command)
            #expect(said.contains("\(bin.path)/rawmill-render is missing: reinstall Rawmill"), "\(said)")
            #expect(said.hasSuffix(command == ["doctor"] ? "\n3\n" : "\n70\n"), "\(command): \(said)")
        }
        // Jobs accepted meanwhile are done as soon as the program is there.
        let ended = try workspace.convert()
        #expect(ended.status == 0 && workspace.shownPhotos.count == 1, "\(ended.errors)")
    }

    @Test("Messages of a render program compromised by camera profiles cannot control the terminal")
    func hostileSentence() throws {
        let workspace = try Workspace()
        let bin = workspace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        let alone = bin.appending(path: "rawmill").path
        try FileManager.default.copyItem(atPath: Rawmill.program.path, toPath: alone)
        // A message of 13 bytes in protobuf: the refusal is field 4, a text of 11 bytes.
        let answer = #"\015\000\000\000\042\013\033[2Jwhateve"#
        let render = bin.appending(path: "rawmill-render")
        try Data("#!/bin/sh\nprintf '\(answer)' >&3\nsleep 5\n".utf8).write(to: render)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: render.path)
        let command = ["convert", workspace.folder.path, "--library", workspace.library.path, "--dcp", alone]
        let said = try ExternalTool.run("sh", ["-c", #""$0" "$@" 2>&1; echo $?"#, alone] + command)
        #expect(said.contains(#"\x1b[2Jwhatev"#) && !said.contains("\u{1B}"), "\(said)")
        #expect(said.hasSuffix("\n64\n"), "\(said)")
    }

    @Test("Cameras are found by words of their names, with their decoder")
    func cameras() throws {
        let found = try Rawmill.run("cameras", "canon", "40d", "--json").events("camera")
        let camera = try #require(found.first { $0["model"] as? String == "EOS 40D" })
        #expect(camera["make"] as? String == "Canon" && camera["unpacker"] as? String == "rawmill")
        #expect(camera["colourMatrix"] as? Bool == true)
        let all = try Rawmill.run("cameras")
        #expect(all.status == 0 && all.lines.count > 1000)
        let text = try Rawmill.run("cameras", "Nikon", "D700")
        let line = try #require(text.lines.first { $0.hasPrefix("Nikon D700 ") }, "\(text.output)")
        #expect(line.contains("LibRaw") && line.hasSuffix("colour matrix"))
    }

    @Test("If no camera matches, status and a sentence report it")
    func none() throws {
        let ended = try Rawmill.run("cameras", "nobody's", "--json")
        #expect(ended.status == 3 && ended.output.isEmpty)
        #expect(try Rawmill.run("cameras", "nobody's").errors.contains("Convert its files to DNG."))
    }
}
