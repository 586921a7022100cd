import ExternalTools
import Foundation
import Testing

struct PlanTests {
    @Test("A dry run creates no library, and reports the plan")
    func dryRun() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let sources = try workspace.fingerprint(of: workspace.raw)
        let ended = try workspace.convert("--dry-run")
        #expect(ended.status == 0)
        #expect(ended.lines.filter { $0.hasPrefix("new  ") }.count == 2)
        #expect(ended.lines.last == "Plan: 2 new.")
        #expect(!FileManager.default.fileExists(atPath: workspace.library.path))
        #expect(try workspace.fingerprint(of: workspace.raw) == sources)
    }

    @Test("A dry run changes nothing in a library, and distinguishes new, changed and unchanged files")
    func dryRunInLibrary() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        try workspace.makeSamples(1, first: 3)
        let handle = try FileHandle(forWritingTo: workspace.raw.appending(path: "sample-0001.dng"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        try Data("x".utf8).write(to: workspace.raw.appending(path: "notes.txt"))
        let before = try workspace.fingerprint(of: workspace.library)
        let plan = try workspace.convert("--dry-run", "--json")
        #expect(plan.status == 0)
        let words = try plan.events("source").map { $0["plan"] as? String }
        #expect(words == ["skipped", "changed", "unchanged", "new"])
        let planned = try #require(try plan.events("planned").first)
        #expect(planned["new"] as? Int == 1 && planned["changed"] as? Int == 1)
        #expect(planned["unchanged"] as? Int == 1 && planned["notRaw"] as? Int == 1)
        #expect(try workspace.fingerprint(of: workspace.library) == before)
    }

    @Test("A folder without a RAW is reported as such, and promises no photos")
    func nothingToDo() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: workspace.raw.appending(path: "notes.txt"))
        let ended = try workspace.convert()
        #expect(ended.status == 0)
        #expect(ended.lines.dropFirst().first == "The sources contain no RAW files, only 1 other file.")
        #expect(!ended.output.contains("The photos are in"), "\(ended.output)")
    }

    @Test("Filters that leave out all files say so, and why")
    func allLeftOut() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2, megapixels: 0.1)
        func said(_ options: String...) throws -> String {
            let ended = try workspace.convert(options)
            #expect(ended.status == 0 && ended.lines.count == 1, "\(ended.output)")
            return ended.lines.last ?? ""
        }
        #expect(try said("--min-rating", "3") == "All 2 RAW files have fewer than 3 stars; nothing to convert.")
        #expect(try said("--min-rating", "1") == "All 2 RAW files have no stars; nothing to convert.")
        #expect(try said("--exclude", "*.dng") == "--exclude leaves out 2 files and folders; nothing to convert.")
        #expect(
            try said("--exclude", "*-0001.dng", "--min-rating", "2")
                == "1 RAW file has fewer than 2 stars, and --exclude leaves out 1 file or folder; nothing to convert.")
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0002.dng"))
        #expect(try said("--min-rating", "5") == "The only RAW file has fewer than 5 stars; nothing to convert.")
    }

    @Test("An empty folder is not a failure; a warning names one that had RAW files before")
    func empty() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        let first = try workspace.convert()
        #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
        #expect(first.lines == ["The sources contain no RAW files. Is their storage mounted?"], "\(first.output)")
        try workspace.makeSamples(1, megapixels: 0.1)
        #expect(try workspace.convert().status == 0)
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0001.dng"))
        let unmounted = try workspace.convert("--quiet")
        #expect(unmounted.status == 0)
        #expect(unmounted.errors.contains("raw is empty, and RAW files were converted from it before."))
    }

    @Test("A missing source is named; the others are converted")
    func missing() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let ended = try workspace.convert(workspace.folder.appending(path: "gone").path, "--json")
        #expect(ended.status == 3)
        #expect(try ended.events("completed").count == 1)
        let failed = try #require(try ended.events("failed").first)
        #expect(failed["reason"] as? String == "source-missing")
    }

    @Test("A failed file is not retried by convert, is by retry, and is named by status")
    func failedFiles() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let broken = workspace.raw.appending(path: "broken.dng")
        try Data(repeating: 7, count: 1000).write(to: broken)
        let first = try workspace.convert("--json")
        #expect(first.status == 3)
        let reason = try #require(try first.events("failed").first?["reason"] as? String)
        let again = try workspace.convert("--json")
        // Earlier failures are reported, and do not count as failures of this run.
        #expect(again.status == 0)
        #expect(try workspace.convert("--json", "--fail-on-old").status == 3)
        #expect(try workspace.convert().output.contains("1 photo failed before"))
        #expect(try again.events("failed").first?["before"] as? Bool == true)
        #expect(try again.events("summary").first?["failedBefore"] as? Int == 1)
        let status = try Rawmill.run("status", "--library", workspace.library.path)
        #expect(status.output.contains("2 accepted = 1 catalogued + 0 degraded + 1 failed + 0 cancelled + 0 open"))
        #expect(status.output.contains("raw/broken.dng") && status.output.contains(reason))
        let other = try Rawmill.run("retry", "--library", workspace.library.path, "--reason", "timeout")
        #expect(other.status == 64 && other.errors.contains("Failures: \(reason)"))
        let retried = try Rawmill.run("retry", "--library", workspace.library.path, "--reason", reason, "--json")
        #expect(retried.status == 3)
        #expect(try retried.events("failed").first?["before"] as? Bool == false)
    }

    @Test("Without failures, a retry does not wait")
    func nothingToRetry() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert("--json").status == 0)
        let retried = try Rawmill.run("retry", "--library", workspace.library.path, "--json")
        let summary = try #require(try retried.events("summary").first)
        // A run waits five seconds for another one that does not progress.
        let seconds = try #require(summary["elapsedSeconds"] as? Double)
        #expect(retried.status == 0 && seconds < 5, "\(seconds) s")
        let told = try Rawmill.run("retry", "--library", workspace.library.path)
        #expect(told.output.hasPrefix("Nothing to retry.\n"), "\(told.output)")
    }

    @Test("A repaired file is converted by the same command")
    func mended() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let file = workspace.raw.appending(path: "sample-0002.dng")
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count / 2).write(to: file)
        #expect(try workspace.convert().status == 3)
        #expect(workspace.shownPhotos == ["raw/sample-0001.neutral.jpg"])
        try whole.write(to: file)
        #expect(try workspace.convert().status == 0)
        #expect(workspace.shownPhotos.count == 2)
    }

    @Test("A replaced RAW keeps its photo, and the new one's photo gets its name")
    func replaced() throws {
        let workspace = try Workspace()
        for number in 1...3 {
            let other = workspace.folder.appending(path: "other-\(number)")
            try workspace.makeSamples(1, first: number, in: other)
            let source = other.appending(path: "sample-000\(number).dng")
            let raw = workspace.raw.appending(path: "a.dng")
            try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: raw)
            try FileManager.default.moveItem(at: source, to: raw)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(number))], ofItemAtPath: raw.path)
            #expect(try workspace.convert("--json").status == 0)
            let shown = try Rawmill.run(
                "library", "show", "photos/raw/a.neutral.jpg", "--library", workspace.library.path)
            let digest = try ExternalTool.run("sha256sum", [raw.path]).prefix(64)
            #expect(shown.output.contains(digest), "\(number): \(shown.output)")
        }
        #expect(workspace.shownPhotos.count == 3)
        let before = workspace.shownPhotos
        #expect(try Rawmill.run("library", "rebuild", "--library", workspace.library.path).status == 0)
        #expect(workspace.shownPhotos == before)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test(
        "Relative names of any length work, for RAWs and library", arguments: ["r", "r/", "./r", "r/s/", "r//s"])
    func shortNames(name: String) throws {
        let workspace = try Workspace()
        #expect(
            try Rawmill.run("sample", "--out", name, "--count", "1", "--megapixels", "0.1", in: workspace.folder).status
                == 0)
        #expect(try Rawmill.run("convert", name, "--library", "l", in: workspace.folder).status == 0)
        #expect(workspace.files(below: workspace.folder.appending(path: "l/photos")).count == 1)
    }
}
