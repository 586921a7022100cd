import Foundation
import Testing

/// The shape of `--json` is a promise to other programs: fields may be added here, but not removed or changed in kind.
struct JSONShapeTests {
    /// Kinds by name, with `?` for nullable ones.
    private static let shapes: [String: [String: String]] = [
        "planned": [
            "event": "text", "accepted": "number", "new": "number", "changed": "number", "again": "number",
            "pending": "number", "unchanged": "number", "failedBefore": "number", "unreadable": "number",
            "notRaw": "number", "links": "number", "excluded": "number", "ratedLower": "number",
        ],
        "completed": [
            "event": "text", "job": "text", "source": "text", "asset": "text", "photo": "text?", "photos": "list",
            "occupied": "list", "reused": "number", "degraded": "text?", "cameraWithoutProfile": "text?",
            "milliseconds": "object",
        ],
        "failed": [
            "event": "text", "job": "text?", "source": "text", "reason": "text", "message": "text",
            "remedy": "text?", "before": "truth",
        ],
        "summary": [
            "event": "text", "accepted": "number", "completed": "number", "degraded": "number", "failed": "number",
            "unchanged": "number", "failedBefore": "number", "unreadable": "number", "unplaced": "number",
            "kept": "number", "reused": "number", "open": "number", "elapsedSeconds": "number",
            "photosPerSecond": "number", "notImported": "number", "sentence": "text?",
        ],
        "camera": ["event": "text", "make": "text", "model": "text", "unpacker": "text", "colourMatrix": "truth"],
        "program": [
            "event": "text", "version": "text", "engine": "number", "path": "text", "renderProgram": "text",
            "renderLevel": "text?",
            "lenses": "number?",
        ],
        "dependency": ["event": "text", "name": "text", "version": "text?", "file": "text?"],
        "machine": [
            "event": "text", "system": "text?", "kernel": "text", "processorLevel": "number", "processors": "number",
            "processorLimit": "number?", "memoryBytes": "number", "memoryLimitBytes": "number?",
            "availableBytes": "number?", "renders": "number", "clockSynchronised": "truth?",
        ],
        "sandbox": [
            "event": "text", "noNewPrivileges": "truth", "noCapabilities": "truth", "seccomp": "truth",
            "landlock": "number",
        ],
        "folder": [
            "event": "text", "path": "text", "fileSystem": "text?", "network": "truth?", "freeBytes": "number?",
            "totalBytes": "number?", "locks": "truth?", "hardLinks": "truth?", "unnamedFiles": "truth?",
            "exclusiveRename": "truth?", "exchange": "truth?", "reflink": "truth?",
        ],
        "finding": ["event": "text", "weight": "text", "subject": "text", "message": "text"],
    ]

    /// Each event has exactly the promised fields, of the promised kinds.
    private func check(_ events: [[String: Any]]) throws {
        for event in events {
            let shape = try #require(Self.shapes[event["event"] as? String ?? ""], "\(event)")
            #expect(Set(event.keys) == Set(shape.keys))
            for (name, value) in event {
                let expected = shape[name] ?? ""
                let found = kind(value)
                #expect(
                    found == expected || expected == "\(found)?" || (found == "null" && expected.hasSuffix("?")),
                    "\(name)")
            }
        }
    }

    private func kind(_ value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is String: "text"
        case let number as NSNumber: kind(of: number)
        case is [Any]: "list"
        default: "object"
        }
    }

    private func kind(of number: NSNumber) -> String {
        String(cString: number.objCType) == "c" ? "truth" : "number"
    }

    @Test("Each event has exactly the promised fields; the plan precedes the photos, the summary comes last")
    func shape() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.nef"))
        let ended = try workspace.convert("--json")
        #expect(ended.status == 3)
        let events = try ended.events
        try check(events)
        let kinds = events.compactMap { $0["event"] as? String }
        #expect(kinds.first == "planned" && kinds.last == "summary")
        #expect(kinds.filter { $0 == "completed" }.count == 2 && kinds.filter { $0 == "failed" }.count == 1)
        let completed = try #require(try ended.events("completed").first)
        let photo = try #require(completed["photo"] as? String)
        #expect(FileManager.default.fileExists(atPath: photo))
        let stages = try #require(completed["milliseconds"] as? [String: Double])
        #expect(Set(stages.keys).isSuperset(of: ["decode", "develop", "encode", "write"]))
        let source = try #require(completed["source"] as? String)
        #expect(source.hasPrefix("/") && FileManager.default.fileExists(atPath: source))
    }

    @Test("The output of doctor and cameras has exactly the promised fields, also for a missing folder")
    func examinations() throws {
        let workspace = try Workspace()
        try check(try Rawmill.run("doctor", "--library", workspace.folder.path, "--json").events)
        let missing = try Rawmill.run("doctor", "--library", workspace.library.path, "--json").events
        try check(missing)
        #expect(missing.contains { $0["event"] as? String == "finding" && $0["weight"] as? String == "problem" })
        let kinds = Set(missing.compactMap { $0["event"] as? String })
        #expect(kinds == ["program", "dependency", "machine", "sandbox", "folder", "finding"])
        try check(try Rawmill.run("cameras", "leica", "--json").events)
    }

    @Test("The reason is from the closed list, and the text states the remedy")
    func reasons() throws {
        let workspace = try Workspace()
        try FileManager.default.createDirectory(at: workspace.raw, withIntermediateDirectories: true)
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "strange.cr2"))
        let ended = try workspace.convert()
        #expect(ended.status == 3)
        #expect(ended.output.contains("strange.cr2"))
        #expect(ended.output.contains("not-raw (1 file): These are not camera RAW files."))
    }
}
