import Database
import Digest
import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("Contents and reports of the ledger")
struct LedgerReportTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    /// A second connection to the ledger's tables.
    private func database() throws -> Connection { try TestLedger.location(in: folder).connection() }

    @Test("reports batches, and every failure by reason")
    func report() throws {
        let submission = Example.submission()
        let reasons: [FailureReason] = [.corrupt, .timeout, .corrupt, .decoderCrashed]
        try store.intake.accept((0..<5).map { "\($0).CR2" }, for: submission)
        let manifests = zip(try store.sendAll(), reasons).map { Example.result($0, Example.failed($1)) }
        _ = try store.end(manifests)
        let reader = try LedgerStore(at: TestLedger.location(in: folder), mode: .readOnly)
        var batches: [BatchReport] = []
        try reader.reports.eachBatch { batches.append($0) }
        #expect(batches.map(\.batch) == [submission.batch])
        #expect(batches[0].recipe == Example.recipe)
        #expect(batches[0].counts == JobCounts(accepted: 5, open: 1, failed: 4))
        #expect(try reader.reports.failureCounts().map(\.reason) == [.corrupt, .decoderCrashed, .timeout])
        var failures: [FailedJob] = []
        try reader.reports.eachFailure { failures.append($0) }
        #expect(failures.map { "\($0.file)" } == ["archive/0.CR2", "archive/2.CR2", "archive/3.CR2", "archive/1.CR2"])
        #expect(failures[2].failure == Failure(.decoderCrashed, "It is decoder-crashed.", signal: 11))
        failures = []
        try reader.reports.eachFailure(reason: .timeout, batch: submission.batch) { failures.append($0) }
        #expect(failures.count == 1)
        try reader.reports.eachFailure(batch: .random()) { _ in Issue.record("no such batch") }
    }

    @Test("gives each content of a look its own version")
    func looks() throws {
        let (one, two) = (SHA256Value(of: [1]), SHA256Value(of: [2]))
        #expect(try store.looks.pin(name: "velvet", digest: one).version == 1)
        #expect(try store.looks.pin(name: "velvet", digest: two).version == 2)
        #expect(try store.looks.pin(name: "velvet", digest: one).version == 1)
        #expect(try store.looks.pin(name: "neutral", digest: one, above: 3).version == 4)
        #expect(throws: LedgerError.self) { try store.looks.pin(name: "No Name", digest: one) }
        #expect(try store.looks.pin(name: "velvet", digest: SHA256Value(of: [3])).version == 3)
    }

    @Test("stores roots and their new paths, except the library's own")
    func roots() throws {
        var table = try store.roots.all()
        table.insert(RegisteredRoot(name: Example.root, path: Array("/moved".utf8)))
        table.insert(RegisteredRoot(name: .library, path: Array("/library".utf8)))
        try store.roots.register(table)
        #expect(try store.roots.all().all == [RegisteredRoot(name: Example.root, path: Array("/moved".utf8))])
    }

    @Test("refuses to delete a job, to change a catalogued one and to change counts")
    func constraints() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.end([Example.result(job, Example.completed())])
        for sql in [
            "DELETE FROM jobs", "UPDATE jobs SET state = 0", "UPDATE jobs SET state = 4, reason = 'corrupt'",
            "UPDATE batches SET accepted = 2", "UPDATE batches SET open = -1", "UPDATE jobs SET state = 9",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") { try database().run(sql) }
        }
        #expect(try store.reports.audit() == [])
    }

    @Test("names a batch with wrong counts in an audit")
    func audit() throws {
        try store.intake.accept(["a.CR2"])
        try database().run("UPDATE batches SET accepted = 2, open = 2")
        #expect(try store.reports.audit().count == 1)
    }

    @Test("refuses a newer version, and an older one without permission to migrate")
    func versions() throws {
        let location = try TestLedger.location(in: folder)
        try location.setVersion(1)
        #expect(throws: LedgerError.self) { _ = try LedgerStore(at: location, mode: .readOnly) }
        try location.setVersion(99)
        #expect(throws: DatabaseError.self) { _ = try LedgerStore(at: location) }
    }
}
