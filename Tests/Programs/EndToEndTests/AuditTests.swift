import Database
import Foundation
import Testing

@Suite("The audit")
struct AuditTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3)
        // A copy of a photo under another name is the same asset: one rendition for two jobs.
        try FileManager.default.copyItem(
            at: workspace.raw.appending(path: "sample-0001.dng"), to: workspace.raw.appending(path: "twin.dng"))
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.dng"))
        _ = try workspace.convert()
    }

    private func audit(_ options: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["audit", "--library", workspace.library.path] + options)
    }

    @Test("finds nothing without differences, and its totals agree with the status")
    func agreement() throws {
        let ended = try audit("--json")
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        let summary = try #require(try ended.events("summary").first)
        let expected = [
            "accepted": 5, "catalogued": 4, "failed": 1, "open": 0, "renditions": 3, "shown": 4, "photos": 3,
            "previews": 3, "differences": 0,
        ]
        for (name, value) in expected { #expect(summary[name] as? Int == value, "\(name) \(summary)") }
        let words = try audit().output
        #expect(
            words.contains("5 accepted = 4 catalogued + 0 degraded + 1 failed") && words.hasSuffix("No differences.\n"))
    }

    @Test("names a missing photo, a truncated one, and a file without a row")
    func files() throws {
        let objects = workspace.files(below: workspace.library.appending(path: "objects"))
        let object = { workspace.library.appending(path: "objects/\(objects[$0])") }
        try FileManager.default.removeItem(at: object(0))
        try FileHandle(forWritingTo: object(1)).truncate(atOffset: 100)
        try Data([1]).write(to: workspace.library.appending(path: "objects/stranger.jpg"))
        let ended = try audit("--json")
        #expect(ended.status == 3)
        let kinds = try ended.events("finding").compactMap { $0["kind"] as? String }
        #expect(Set(["photo-missing", "photo-changed", "unknown-object"]).isSubset(of: kinds), "\(kinds)")
        #expect(try ended.events("summary").first?["differences"] as? Int == kinds.count)
    }

    @Test("names a job whose photo the library has lost, and a ledger with wrong sums")
    func rows() throws {
        let library = try Connection(path: workspace.library.appending(path: "library.sqlite").path, mode: .readWrite)
        let lostRows = try library.run("DELETE FROM renditions WHERE original_path = CAST('sample-0002.dng' AS BLOB)")
        #expect(lostRows == 1)
        let ledger = try Connection(
            path: workspace.library.appending(path: ".rawmill/coordinator.sqlite").path, mode: .readWrite)
        try ledger.run("UPDATE batches SET open = open + 1, accepted = accepted + 1")
        let ended = try audit("--json")
        #expect(ended.status == 3)
        let findings = try ended.events("finding")
        let lost = findings.filter { $0["kind"] as? String == "not-in-library" }
        #expect(lost.count == 1 && "\(lost)".contains("sample-0002.dng"), "\(findings)")
        #expect(findings.contains { $0["kind"] as? String == "ledger-unbalanced" }, "\(findings)")
    }

    private var ledger: URL { workspace.library.appending(path: ".rawmill/coordinator.sqlite") }

    @Test("compares each job with its own RAW: a job with another one's photo is named, a RAW at two paths is not")
    func otherRaw() throws {
        let connection = try Connection(path: ledger.path, mode: .readWrite)
        try connection.script(
            """
            UPDATE jobs SET asset = (SELECT asset FROM jobs WHERE path = CAST('sample-0001.dng' AS BLOB))
                WHERE path = CAST('sample-0002.dng' AS BLOB)
            """)
        let findings = try audit("--json").events("finding")
        #expect(findings.compactMap { $0["kind"] as? String } == ["made-from-other-raw"], "\(findings)")
        #expect("\(findings)".contains("sample-0002.dng"))
    }

    @Test("looks for photos of failed jobs")
    func photoOfFailed() throws {
        let connection = try Connection(path: ledger.path, mode: .readWrite)
        try connection.script(
            """
            DROP TRIGGER job_way;
            UPDATE jobs SET state = 4, reason = 'corrupt', message = 'It is cut.', asset = NULL
                WHERE path = CAST('sample-0003.dng' AS BLOB)
            """)
        let findings = try audit("--json").events("finding")
        #expect(findings.compactMap { $0["kind"] as? String } == ["photo-of-unsuccessful-job"], "\(findings)")
        #expect("\(findings)".contains("sample-0003.dng"))
    }

    @Test("notices an old ledger beside a newer library")
    func oldLedger() throws {
        let old = try Data(contentsOf: ledger)
        try workspace.makeSamples(1, first: 7)
        try workspace.convert()
        try old.write(to: ledger)
        for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: ledger.path + ending) }
        let ended = try audit("--json")
        let findings = try ended.events("finding")
        #expect(ended.status == 3 && findings.compactMap { $0["kind"] as? String } == ["unknown-to-ledger"])
        #expect("\(findings)".contains("sample-0007.dng"), "\(findings)")
    }
}
