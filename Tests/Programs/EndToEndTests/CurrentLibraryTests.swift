import Foundation
import Testing

struct CurrentLibraryTests {
    @Test("Inside a library's folder no command needs --library")
    func insideLibrary() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        for folder in [workspace.library, workspace.library.appending(path: "photos")] {
            for words in [["library", "list", "--count"], ["status"], ["library", "verify"], ["retry", "--quiet"]] {
                let ended = try Rawmill.run(words, in: folder)
                #expect(ended.status == 0, "\(words) in \(folder.path): \(ended.errors)")
            }
        }
        #expect(try Rawmill.run("library", "list", "--count", in: workspace.library).output == "1\n")
    }

    @Test("Outside a library --library is still required")
    func outsideLibrary() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let ended = try Rawmill.run("library", "list", in: workspace.raw)
        #expect(ended.status == 64 && ended.errors.contains("--library is missing"), "\(ended.errors)")
    }

    @Test("The user's settings file is read, and --library and --settings take precedence over it")
    func usersFile() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let folder = workspace.folder.appending(path: "config/rawmill")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("library: \(workspace.library.path)\n".utf8).write(to: folder.appending(path: "rawmill.yaml"))
        let environment = ["XDG_CONFIG_HOME": workspace.folder.appending(path: "config").path]
        #expect(try Rawmill.run("library", "list", "--count", environment: environment).output == "1\n")
        let other = try Rawmill.run("library", "list", "--library", workspace.raw.path, environment: environment)
        #expect(other.status == 64 && other.errors.contains("is not a library"), "\(other.errors)")
        let empty = workspace.folder.appending(path: "empty.yaml")
        try Data().write(to: empty)
        let without = try Rawmill.run("library", "list", "--settings", empty.path, environment: environment)
        #expect(without.status == 64 && without.errors.contains("--library is missing"), "\(without.errors)")
    }
}
