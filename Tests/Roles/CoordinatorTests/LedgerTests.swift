import Database
import Digest
import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("The ledger")
struct LedgerTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    /// A second connection to the ledger's file.
    private func database() throws -> Connection { try Connection(path: LedgerStore.path(in: folder)) }

    @Test("sends interactive jobs first, each lane in the order of acceptance")
    func lanes() throws {
        try store.intake.accept(["b1.CR2", "b2.CR2"], for: Example.submission(lane: .bulk))
        try store.intake.accept(["i2.CR2", "i1.CR2"], for: Example.submission(lane: .interactive))
        #expect(
            try store.sendAll().map(\.source.raw.file.path.description) == ["i2.CR2", "i1.CR2", "b1.CR2", "b2.CR2"])
    }

    @Test("does not send a paused batch until it is resumed")
    func pause() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2"], for: submission)
        try store.control.pause(submission.batch)
        try store.intake.accept(["b.CR2"], for: submission)
        #expect(try store.sendAll().isEmpty)
        #expect(try !store.outbox.hasOpenJobs())
        #expect(try store.reports.totals().open == 2)
        try store.control.resume(submission.batch)
        #expect(try store.outbox.hasOpenJobs())
        #expect(try store.sendAll().count == 2)
        #expect(throws: LedgerError.unknownBatch) { try store.control.pause(.random()) }
    }

    @Test("ends a job once, however often its manifest arrives, and recognises unknown jobs")
    func repeated() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        let manifest = Example.result(job, Example.completed())
        #expect(try store.end([manifest, manifest], next: [0: 2]) == [.ended(.catalogued), .repeated])
        #expect(try store.end([Example.result(job, Example.failed())], next: [0: 3]) == [.repeated])
        let unknown = Job(batch: .random(), source: Example.source("other.CR2"), recipe: Example.recipe)
        #expect(try store.end([Example.result(unknown, Example.completed())], next: [1: 1]) == [.unknown])
        #expect(try store.offsets.results() == [0: 3, 1: 1])
        #expect(try store.reports.totals() == JobCounts(accepted: 1, catalogued: 1))
    }

    @Test("accepts a late success after a failure or a cancellation, never a failure after a success")
    func late() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2"], for: submission)
        let jobs = try store.sendAll()
        #expect(
            try store.end([Example.result(jobs[0], Example.failed())]) == [.ended(.failed)])
        try store.control.cancel(submission.batch)
        #expect(try store.end([Example.result(jobs[1], Example.failed())]) == [.repeated])
        let successes = jobs.map { Example.result($0, Example.completed(degraded: "too green")) }
        #expect(try store.end(successes) == [.ended(.degraded), .ended(.degraded)])
        #expect(try store.reports.totals() == JobCounts(accepted: 2, degraded: 2))
        #expect(try store.control.retry() == 0)
    }

    @Test("counts a job that lacks a frame as degraded, with a sentence that names the frame")
    func lackingFrame() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        let outcome = Example.partlyCompleted()
        #expect(try store.end([Example.result(job, outcome)]) == [.ended(.degraded)])
        #expect(outcome.failure?.message == "1 of 2 frames became photos. Frame 2: It is cut.")
    }

    @Test("ignores manifests of an older round")
    func rounds() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.end([Example.result(job, Example.failed(.timeout))])
        #expect(try store.control.retry(RetryFilter(reason: .corrupt)) == 0)
        #expect(try store.control.retry(RetryFilter(reason: .timeout)) == 1)
        let again = try store.sendAll()[0]
        #expect(again.round == 1 && again.id == job.id)
        #expect(try store.end([Example.result(job, Example.failed())]) == [.repeated])
        #expect(try store.end([Example.result(job, Example.completed())]) == [.repeated])
        #expect(try store.reports.totals().open == 1)
        #expect(
            try store.end([Example.result(again, Example.completed())]) == [
                .ended(.catalogued)
            ])
    }

    @Test("sends a job once that was tried in the last round there can be")
    func lastRound() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.end([Example.result(job, Example.failed(), round: .max)])
        #expect(try store.control.retry() == 1)
        let again = try store.outbox.next(limit: 9)
        try store.outbox.markSent(again)
        #expect(try again.count == 1 && store.outbox.next(limit: 9).isEmpty)
        let manifests = again.map { Example.result($0.job, Example.completed()) }
        #expect(try store.end(manifests) == [.ended(.catalogued)])
    }

    @Test("retries the named jobs and no others")
    func namedJobs() throws {
        try store.intake.accept(["a.CR2", "b.CR2", "c.CR2"])
        let jobs = try store.sendAll()
        let ends = [Example.failed(), Example.failed(), Example.completed()]
        _ = try store.end(zip(jobs, ends).map { Example.result($0, $1) })
        let named = [jobs[1], jobs[2]].map { JobAddress(file: $0.source.raw.file, job: $0.id) }
        let elsewhere = JobAddress(file: jobs[0].source.raw.file, job: jobs[1].id)
        #expect(try store.control.retry(RetryFilter(jobs: named + [elsewhere])) == 1)
        #expect(try store.sendAll().map(\.id) == [jobs[1].id])
        #expect(try store.control.retry(RetryFilter(jobs: named)) == 0)
    }

    @Test("does not mark a job as sent that changed meanwhile")
    func changedWhileSent() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2"], for: submission)
        let entries = try store.outbox.next(limit: 9)
        _ = try store.end([Example.result(entries[0].job, Example.completed())])
        try store.control.cancel(submission.batch)
        try store.intake.accept(["b.CR2"])
        try store.outbox.markSent(entries)
        #expect(try store.outbox.next(limit: 9).map(\.job.round) == [1])
        #expect(try store.reports.totals().catalogued == 1)
    }

    @Test("does not retry a failure whose file was accepted in a newer state")
    func superseded() throws {
        try store.intake.accept(["a.CR2"])
        _ = try store.end(try store.sendAll().map { Example.result($0, Example.failed()) })
        _ = try store.intake.accept([Example.candidate(Example.source("a.CR2", size: 7))], for: Example.submission())
        #expect(try store.control.retry() == 0)
        var failures: [FailedJob] = []
        try store.reports.eachFailure { failures.append($0) }
        #expect(failures.map(\.isSuperseded) == [true])
    }

    @Test("reports batches, and every failure by reason")
    func report() throws {
        let submission = Example.submission()
        let reasons: [FailureReason] = [.corrupt, .timeout, .corrupt, .decoderCrashed]
        try store.intake.accept((0..<5).map { "\($0).CR2" }, for: submission)
        let manifests = zip(try store.sendAll(), reasons).map { Example.result($0, Example.failed($1)) }
        _ = try store.end(manifests)
        let reader = try LedgerStore(path: folder.path + "/ledger.sqlite", mode: .readOnly)
        var batches: [BatchReport] = []
        try reader.reports.eachBatch { batches.append($0) }
        #expect(batches.map(\.batch) == [submission.batch])
        #expect(batches[0].recipe == Example.recipe)
        #expect(batches[0].counts == JobCounts(accepted: 5, open: 1, failed: 4))
        #expect(try reader.reports.failureCounts().map(\.reason) == [.corrupt, .decoderCrashed, .timeout])
        var failures: [FailedJob] = []
        try reader.reports.eachFailure { failures.append($0) }
        #expect(failures.map { "\($0.file)" } == ["archive:0.CR2", "archive:2.CR2", "archive:3.CR2", "archive:1.CR2"])
        #expect(failures[2].failure == Failure(.decoderCrashed, "It is decoder-crashed.", signal: 11))
        failures = []
        try reader.reports.eachFailure(reason: .timeout, batch: submission.batch) { failures.append($0) }
        #expect(failures.count == 1)
        try reader.reports.eachFailure(batch: .random()) { _ in Issue.record("no such batch") }
    }

    @Test("gives each content of a look a version of its own")
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

    @Test("refuses a newer version, and an older one that it may not migrate")
    func versions() throws {
        let path = folder.path + "/ledger.sqlite"
        try database().script("PRAGMA user_version = 1")
        #expect(throws: LedgerError.self) { _ = try LedgerStore(path: path, mode: .readOnly) }
        try database().script("PRAGMA user_version = 99")
        #expect(throws: DatabaseError.self) { _ = try LedgerStore(path: path) }
    }
}
