import Foundation
import Testing

@testable import rawmill_torture

/// The check of the logs must find exactly the errors that the harm does not explain.
@Suite("The logs of roles")
struct RoleLogsTests {
    private static let start = "time=2026-11-23T12:45:07.691Z level=error event="
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func unexplained(_ text: String, fillsDisk: Bool) throws -> Int {
        try Data(text.utf8).write(to: workspace.folder.appending(path: "worker.log"))
        return try RoleLogs(
            folder: workspace.folder.path, explained: ["storage.unavailable", "role.ended"], fillsDisk: fillsDisk
        ).unexplained.count
    }

    @Test("Errors that the harm explains are accepted, others are not", arguments: [true, false])
    func errors(fillsDisk: Bool) throws {
        let explained = "\(Self.start)storage.unavailable root=library\n\(Self.start)role.ended\nrawmill: no space\n"
        #expect(try unexplained(explained, fillsDisk: fillsDisk) == 0)
        for line in ["\(Self.start)job.lost", "\(Self.start)job.lost of=worker", "Fatal error: index out of range"] {
            #expect(try unexplained(explained + line + "\n", fillsDisk: fillsDisk) == 1, "\(line)")
        }
    }

    @Test(
        "A line truncated by a full disk is explained, even if the next line follows at once",
        arguments: ["ti", "\(start)", "\(start)stora", "\(start)role.en", "rawm"])
    func cut(line: String) throws {
        #expect(try unexplained(line, fillsDisk: true) == 0)
        #expect(try unexplained(line + "\(Self.start)storage.unavailable root=library\n", fillsDisk: true) == 0)
        #expect(try unexplained(line + "\(Self.start)job.lost of=worker\n", fillsDisk: true) == 1)
        #expect(try unexplained(line, fillsDisk: false) == 1)
    }
}
