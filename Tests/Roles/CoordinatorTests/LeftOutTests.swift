import Database
import Jobs
import Manifests
import Records
import Testing

@testable import Coordinator

@Suite("The ledger's record of left-out files") struct LeftOutTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    private func files(_ kind: FileGroup.Kind, _ range: Range<Int>, length: Int = 1) -> [LeftOutFile] {
        range.map { number in
            let path = Array("/archive/\(number)\(String(repeating: "x", count: length))".utf8)
            return LeftOutFile(kind: kind, path: path, message: "It is left out.")
        }
    }

    @Test("counts everything, and keeps the first names of each kind")
    func bounded() throws {
        let batch = BatchID.random()
        try store.leftOut.begin(batch)
        for start in stride(from: 0, to: 3000, by: 500) {
            try store.leftOut.add(files(.notRaw, start..<start + 500), to: batch)
        }
        try store.leftOut.add(files(.missing, 0..<3), to: batch)
        var kept: [FileGroup.Kind: Int] = [:]
        try store.reports.eachProblem(of: batch) { kept[$0.kind, default: 0] += 1 }
        #expect(kept == [.notRaw: 1000, .missing: 3])
        let groups = try store.reports.files(of: batch)
        #expect(groups.map(\.kind) == [.missing, .notRaw] && groups.map(\.total) == [3, 3000])
        #expect(groups.map(\.files.count) == [3, 20])
        #expect(groups[0].files[0].source == Array("archive/0x".utf8))
    }

    @Test("begins anew with a plan that was interrupted, and forgets old plans")
    func plans() throws {
        let first = BatchID.random()
        for _ in 0..<2 {
            try store.leftOut.begin(first)
            try store.leftOut.add(files(.link, 0..<2), to: first)
        }
        #expect(try store.reports.files(of: first).map(\.total) == [2])
        #expect(try store.reports.lastPlan() == first)
        for _ in 0..<99 { try store.leftOut.begin(.random()) }
        #expect(try store.reports.files(of: first).count == 1)
        try store.leftOut.begin(.random())
        #expect(try store.reports.files(of: first).isEmpty)
        var count = 0
        try store.reports.eachProblem { _ in count += 1 }
        #expect(count == 0)
    }

    @Test("names as much as a record can hold, for names of any length")
    func longNames() throws {
        let batch = BatchID.random()
        try store.leftOut.begin(batch)
        for kind in [FileGroup.Kind.missing, .unreadable, .link, .notRaw] {
            try store.leftOut.add(files(kind, 0..<40, length: 4000), to: batch)
        }
        let groups = try store.reports.files(of: batch)
        #expect(groups.map(\.total) == [40, 40, 40, 40] && groups[0].files.count > 5)
        var status = BatchStatus(
            batch: batch, submittedMilliseconds: 1, look: "neutral@1", lane: .bulk, phase: .running)
        status.files = groups
        #expect(status.encoded().count < RecordLimit.record)
        #expect(try BatchStatus(record: status.encoded()) == status)
    }

    @Test("names the failed, degraded and refused jobs of a batch, and those whose RAWs a worker does not see")
    func jobs() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2", "c.CR2", "d.CR2"], for: submission)
        try store.intake.accept(["e.CR2"], for: Example.submission(Example.otherRecipe))
        let jobs = try store.sendAll()
        _ = try store.end([
            Example.result(jobs[0], Example.failed()),
            Example.result(jobs[1], Example.completed(degraded: "Too green.")),
            Example.result(jobs[2], Example.completed(), refusal: Example.refusal),
            Example.result(
                jobs[3], Example.completed(), refusal: Refusal(code: Refusal.sourcePresent, message: "Not seen.")),
            Example.result(jobs[4], Example.failed()),
        ])
        let groups = try store.reports.files(of: submission.batch)
        #expect(groups.map(\.kind) == [.failed, .degraded, .refused, .unseen] && groups.allSatisfy { $0.total == 1 })
        let status = try #require(try store.reports.batchStatuses().first)
        #expect(status.refused == 2 && status.unseen == 1)
        #expect(try store.reports.refusedCount() == 2 && store.reports.unseenCount() == 1)
        let names = groups.flatMap(\.files).map { "\(String(decoding: $0.source, as: UTF8.self)) \($0.message)" }
        #expect(names[0].hasPrefix("archive/a.CR2 corrupt: ") && names[1] == "archive/b.CR2 Too green.")
        #expect(names[2] == "archive/c.CR2 It is not there." && names[3] == "archive/d.CR2 Not seen.")
    }

    @Test("names the photos of cameras without a profile in the order, and these cameras")
    func withoutProfile() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2"], for: submission)
        let jobs = try store.sendAll()
        let without = Example.completed(withoutProfile: "Canon EOS 40D")
        _ = try store.end([Example.result(jobs[0], without), Example.result(jobs[1], Example.completed())])
        let groups = try store.reports.files(of: submission.batch)
        let named = NamedFile(source: Array("archive/a.CR2".utf8), message: "Canon EOS 40D")
        #expect(groups == [FileGroup(kind: .withoutProfile, total: 1, files: [named])])
        let status = try #require(try store.reports.batchStatuses().first)
        #expect(status.counts.catalogued == 2 && status.counts.degraded == 0)
    }

    @Test("takes over the records of an earlier version")
    func migrated() throws {
        let path = folder.path + "/old.sqlite"
        let old = try Connection(path: path)
        try old.migrate(Array(LedgerSchema.migrations.prefix(8)))
        let batch = BatchID.random()
        for (path, message) in [
            ("/a/gone", "/a/gone is not there. Check the path."), ("/a/l", "/a/l is a link to /b, which is elsewhere."),
            ("/a/f", "The folder /a/f could not be read (no)."),
        ] {
            try old.run("INSERT INTO problems VALUES (?, ?, ?)", batch.bytes, Array(path.utf8), message)
        }
        let groups = try LedgerStore(path: path).reports.files(of: batch)
        #expect(groups.map(\.kind) == [.missing, .unreadable, .link] && groups.map(\.total) == [1, 1, 1])
    }
}
