import ExternalTools
import Foundation
import Testing

struct PlanTests {
    @Test("A dry run makes no library, and says what would be done")
    func dryRun() throws {
        let place = try Workplace()
        try place.makeSamples(2)
        let sources = try place.fingerprint(of: place.raw)
        let ended = try place.convert("--dry-run")
        #expect(ended.status == 0)
        #expect(ended.lines.filter { $0.hasPrefix("new  ") }.count == 2)
        #expect(ended.lines.last == "The plan: 2 new.")
        #expect(!FileManager.default.fileExists(atPath: place.library.path))
        #expect(try place.fingerprint(of: place.raw) == sources)
    }

    @Test("A dry run changes nothing in a library, and tells new from changed from unchanged")
    func dryRunInLibrary() throws {
        let place = try Workplace()
        try place.makeSamples(2)
        #expect(try place.convert().status == 0)
        try place.makeSamples(1, first: 3)
        let handle = try FileHandle(forWritingTo: place.raw.appending(path: "sample-0001.dng"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data([0]))
        try handle.close()
        try Data("x".utf8).write(to: place.raw.appending(path: "notes.txt"))
        let before = try place.fingerprint(of: place.library)
        let plan = try place.convert("--dry-run", "--json")
        #expect(plan.status == 0)
        let words = try plan.events("source").map { $0["plan"] as? String }
        #expect(words == ["changed", "unchanged", "new"])
        let planned = try #require(try plan.events("planned").first)
        #expect(planned["new"] as? Int == 1 && planned["changed"] as? Int == 1)
        #expect(planned["unchanged"] as? Int == 1 && planned["notRaw"] as? Int == 1)
        #expect(try place.fingerprint(of: place.library) == before)
    }

    @Test("A folder without a RAW is said to have none, and promises no photos")
    func nothingToDo() throws {
        let place = try Workplace()
        try FileManager.default.createDirectory(at: place.raw, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: place.raw.appending(path: "notes.txt"))
        let ended = try place.convert()
        #expect(ended.status == 0)
        #expect(ended.lines.first == "There is no RAW file in the sources, only 1 other file.")
        #expect(!ended.output.contains("The photos are in"), "\(ended.output)")
    }

    @Test("A source that is not there is named; the others are converted")
    func missing() throws {
        let place = try Workplace()
        try place.makeSamples(1)
        let ended = try place.convert(place.folder.appending(path: "gone").path, "--json")
        #expect(ended.status == 3)
        #expect(try ended.events("completed").count == 1)
        let failed = try #require(try ended.events("failed").first)
        #expect(failed["reason"] as? String == "source-missing")
    }

    @Test("A file that failed is not tried again by convert, is by retry, and is named by status")
    func failedFiles() throws {
        let place = try Workplace()
        try place.makeSamples(1)
        let broken = place.raw.appending(path: "broken.dng")
        try Data(repeating: 7, count: 1000).write(to: broken)
        let first = try place.convert("--json")
        #expect(first.status == 3)
        let reason = try #require(try first.events("failed").first?["reason"] as? String)
        let again = try place.convert("--json")
        #expect(again.status == 3)
        #expect(try again.events("failed").first?["before"] as? Bool == true)
        #expect(try again.events("summary").first?["failedBefore"] as? Int == 1)
        let status = try Rawmill.run("status", "--library", place.library.path)
        #expect(status.output.contains("2 accepted = 1 catalogued + 0 degraded + 1 failed + 0 cancelled + 0 open"))
        #expect(status.output.contains(broken.path) && status.output.contains(reason))
        let other = try Rawmill.run("retry", "--library", place.library.path, "--reason", "timeout")
        #expect(other.status == 64 && other.errors.contains("There are: \(reason)"))
        let retried = try Rawmill.run("retry", "--library", place.library.path, "--reason", reason, "--json")
        #expect(retried.status == 3)
        #expect(try retried.events("failed").first?["before"] as? Bool == false)
    }

    @Test("A file that was mended is converted by the same command")
    func mended() throws {
        let place = try Workplace()
        try place.makeSamples(2)
        let file = place.raw.appending(path: "sample-0002.dng")
        let whole = try Data(contentsOf: file)
        try whole.prefix(whole.count / 2).write(to: file)
        #expect(try place.convert().status == 3)
        #expect(place.shownPhotos == ["raw/sample-0001.neutral.jpg"])
        try whole.write(to: file)
        #expect(try place.convert().status == 0)
        #expect(place.shownPhotos.count == 2)
    }

    @Test("A RAW that another one took the place of keeps its photo, and leaves the name to the new one's")
    func replaced() throws {
        let place = try Workplace()
        for number in 1...3 {
            let other = place.folder.appending(path: "other-\(number)")
            try place.makeSamples(1, first: number, in: other)
            let source = other.appending(path: "sample-000\(number).dng")
            let raw = place.raw.appending(path: "a.dng")
            try FileManager.default.createDirectory(at: place.raw, withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: raw)
            try FileManager.default.moveItem(at: source, to: raw)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1e9 + Double(number))], ofItemAtPath: raw.path)
            #expect(try place.convert("--json").status == 0)
            let shown = try Rawmill.run("library", "show", "photos/raw/a.neutral.jpg", "--library", place.library.path)
            let digest = try ExternalTool.run("sha256sum", [raw.path]).prefix(64)
            #expect(shown.output.contains(digest), "\(number): \(shown.output)")
        }
        #expect(place.shownPhotos.count == 3)
        let before = place.shownPhotos
        #expect(try Rawmill.run("library", "rebuild", "--library", place.library.path).status == 0)
        #expect(place.shownPhotos == before)
        #expect(try Rawmill.run("library", "verify", "--library", place.library.path).output.contains("a.dng"))
    }

    @Test(
        "Relative names do, however short, for RAWs and library alike", arguments: ["r", "r/", "./r", "r/s/", "r//s"])
    func shortNames(name: String) throws {
        let place = try Workplace()
        #expect(
            try Rawmill.run("sample", "--out", name, "--count", "1", "--megapixels", "0.1", in: place.folder).status
                == 0)
        #expect(try Rawmill.run("convert", name, "--library", "l", in: place.folder).status == 0)
        #expect(place.files(below: place.folder.appending(path: "l/photos")).count == 1)
    }
}
