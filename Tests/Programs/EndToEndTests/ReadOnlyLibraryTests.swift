import ExternalTools
import Foundation
import Testing

@Suite(.needs(.mounting)) struct ReadOnlyLibraryTests {
    /// Shows a folder at another path, read-only.
    private final class ReadOnlyView {
        let path: String

        init(of folder: String, at path: String) throws {
            self.path = path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Self.run("mount", "--bind", folder, path)
            try Self.run("mount", "-o", "remount,bind,ro", path)
        }

        deinit { try? Self.run("umount", path) }

        private static func run(_ arguments: String...) throws {
            let program = Process()
            program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            program.arguments = arguments
            try program.run()
            program.waitUntilExit()
            guard program.terminationStatus == 0 else { throw POSIXError(.EPERM) }
        }
    }

    @Test("A library on a read-only file system is listed, shown, verified, audited, reproduced and backed up")
    func reading() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let view = try ReadOnlyView(of: workspace.library.path, at: workspace.folder.appending(path: "view").path)
        for command in [["library", "list"], ["library", "verify"], ["audit"], ["status"], ["campaign", "list"]] {
            let ended = try Rawmill.run(command + ["--library", view.path])
            #expect(ended.status == 0, "\(command): \(ended.output)\(ended.errors)")
        }
        #expect(try Rawmill.run("library", "list", "--library", view.path).lines.count == 2)
        let again = try Rawmill.run("library", "reproduce", "--where", "engine > 0", "--library", view.path)
        #expect(again.lines.last == "2 of 2 photos are identical.", "\(again.output)\(again.errors)")
        let backup = workspace.folder.appending(path: "backup").path
        #expect(try Rawmill.run("library", "backup", "--to", backup, "--library", view.path).status == 0)
        let convert = try Rawmill.run("convert", workspace.raw.path, "--library", view.path)
        #expect(convert.status == 70 && convert.errors.contains("the file system is read-only"), "\(convert.errors)")
        let cube = workspace.folder.appending(path: "own.cube")
        let corners = ["0 0 0", "1 0 0", "0 1 0", "1 1 0", "0 0 1", "1 0 1", "0 1 1", "1 1 1"]
        try Data("LUT_3D_SIZE 2\n\(corners.joined(separator: "\n"))\n".utf8).write(to: cube)
        let imported = try Rawmill.run("looks", "import", cube.path, "--library", view.path)
        #expect(
            imported.status != 0 && imported.errors.contains("mounted read-only")
                && !imported.errors.contains("PRAGMA"), "\(imported.errors)")
    }

    @Test("Campaigns of a library on a read-only file system are listed and shown")
    func campaigns() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let plan = ["campaign", "plan", "greys", "--look", "mono", "--library", workspace.library.path]
        #expect(try Rawmill.run(plan).status == 0)
        let view = try ReadOnlyView(of: workspace.library.path, at: workspace.folder.appending(path: "view").path)
        let listed = try Rawmill.run("campaign", "list", "--library", view.path)
        #expect(listed.status == 0 && listed.output.contains("greys: planned"), "\(listed.output)\(listed.errors)")
        let shown = try Rawmill.run("campaign", "show", "greys", "--library", view.path)
        #expect(shown.status == 0 && shown.output.contains("2 photos, 0 rendered"), "\(shown.output)\(shown.errors)")
    }

    @Test("Data in the database logs of a killed run is read too")
    func logs() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(6)
        let run = try Running(["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "1"])
        #expect(run.wait { run.outputSoFar.contains("done ") })
        run.send(SIGKILL)
        _ = run.wait()
        let before = try Rawmill.run("library", "list", "--library", workspace.library.path)
        for name in ["library.sqlite-shm", ".rawmill/coordinator.sqlite-shm"] {
            try? FileManager.default.removeItem(at: workspace.library.appending(path: name))
        }
        let view = try ReadOnlyView(of: workspace.library.path, at: workspace.folder.appending(path: "view").path)
        let listed = try Rawmill.run("library", "list", "--library", view.path)
        #expect(listed.status == 0 && listed.output == before.output && !listed.lines.isEmpty, "\(listed.errors)")
        #expect(try Rawmill.run("status", "--library", view.path).status == before.status)
    }
}
