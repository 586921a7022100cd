import ExternalTools
import Foundation
import Testing

/// Files that are left out are named.
struct ReportTests {
    private func workspace() throws -> Workspace {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let elsewhere = workspace.folder.appending(path: "elsewhere")
        try workspace.makeSamples(1, first: 2, in: elsewhere)
        try FileManager.default.createSymbolicLink(
            at: workspace.raw.appending(path: "out.dng"),
            withDestinationURL: elsewhere.appending(path: "sample-0002.dng"))
        try FileManager.default.createSymbolicLink(
            at: workspace.raw.appending(path: "in.dng"),
            withDestinationURL: workspace.raw.appending(path: "sample-0001.dng"))
        try Data("x".utf8).write(to: workspace.raw.appending(path: "notes.txt"))
        return workspace
    }

    @Test("Links, files that are not RAWs and missing sources are named, in text and in JSON")
    func named() throws {
        let workspace = try workspace()
        let gone = workspace.folder.appending(path: "gone").path
        let json = try workspace.convert(gone, "--json")
        #expect(json.status == 3)
        let skipped = try json.events("skipped").map { event in
            let path = (event["source"] as? String ?? "").split(separator: "/").last ?? ""
            return "\(path) \(event["reason"] as? String ?? "")"
        }
        #expect(skipped.sorted() == ["in.dng link", "notes.txt not-raw", "out.dng link"])
        #expect(try json.events("failed").first?["source"] as? String == gone)
        let text = try workspace.convert(gone, "--look", "mono")
        for name in ["in.dng", "out.dng", "notes.txt", gone] { #expect(text.output.contains(name), "\(text.output)") }
        let plan = try workspace.convert("--dry-run", "--look", "sepia")
        for name in ["in.dng", "out.dng", "notes.txt"] { #expect(plan.output.contains(name), "\(plan.output)") }
    }

    @Test(
        "On a terminal they are named after the summary", .needs(.pseudoTerminals), .needs(.program("script")))
    func terminal() throws {
        let workspace = try workspace()
        let command =
            "'\(Rawmill.program.path)' convert '\(workspace.raw.path)' /gone --library '\(workspace.library.path)'; true"
        let seen = try ExternalTool.run(
            "script", ["-qec", "env NO_COLOR=1 TERM=xterm sh -c \"\(command)\"", "/dev/null"])
        for words in [
            "links, not followed:", "out.dng", "not named as RAW files:", "notes.txt", "unreadable:", "/gone",
        ] {
            #expect(seen.contains(words), "\(words) in \(seen)")
        }
    }
}
