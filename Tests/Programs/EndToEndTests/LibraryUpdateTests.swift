import Foundation
import Testing

/// Migrating a large library's tables takes seconds in which nothing else happens.
@Suite struct LibraryUpdateTests {
    @Test(
        "A command that migrates a library's tables reports it on standard error, before and after",
        arguments: [["album", "create", "best"], ["library", "verify", "--repair", "--json"]])
    func commands(_ command: [String]) throws {
        let workspace = try Workspace.ofFirstVersion()
        let ended = try Rawmill.run(command + ["--library", workspace.library.path])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        expectNotices(of: workspace.library, in: ended.errors)
        #expect(!ended.output.contains("library.updat") && !ended.output.contains("are migrated"), "\(ended.output)")

        let again = try Rawmill.run("album", "create", "other", "--library", workspace.library.path)
        #expect(again.status == 0 && again.errors.isEmpty, "\(again.errors)")
    }

    @Test("A page that migrates a library's tables reports it before it starts")
    func page() throws {
        let workspace = try Workspace.ofFirstVersion()
        let server = try PageServer(library: workspace.library)
        expectNotices(of: workspace.library, in: server.stop().errors)
    }

    @Test("With JSON lines or errors only, the notices are formatted accordingly, or omitted")
    func formats() throws {
        let create = ["album", "create", "best", "--library"]
        let lines = try Workspace.ofFirstVersion()
        let said = try Rawmill.run(create + [lines.library.path, "--log-format", "json"])
        let events = try said.errors.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(events.map { $0["event"] as? String } == ["library.updating", "library.updated"], "\(said.errors)")
        #expect(events.last?["milliseconds"] is Int, "\(said.errors)")

        let silent = try Workspace.ofFirstVersion()
        let quiet = try Rawmill.run(create + [silent.library.path, "--log-level", "error"])
        #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
    }

    private func expectNotices(of library: URL, in errors: String) {
        let lines = errors.split(separator: "\n").filter { $0.contains("event=library.") }
        #expect(lines.count == 2, "\(errors)")
        let begins =
            "event=library.updating message=\"The tables of the library \(library.path) are those of an earlier"
        #expect(lines.first?.contains(begins) == true, "\(errors)")
        #expect(lines.last?.contains("event=library.updated milliseconds=") == true, "\(errors)")
    }
}

extension Workspace {
    /// A workspace whose library has a photo and the tables of version 0.1.0.
    fileprivate static func ofFirstVersion() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        try #require(workspace.convert().status == 0)
        try LibraryOfFirstVersion(library: workspace.library).carryLibraryBack()
        return workspace
    }
}
