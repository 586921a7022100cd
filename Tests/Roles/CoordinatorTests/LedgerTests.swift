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

    @Test("gives out interactive jobs first, each lane in the order of acceptance")
    func lanes() throws {
        try store.accept(["b1.CR2", "b2.CR2"], for: Make.submission(lane: .bulk))
        try store.accept(["i2.CR2", "i1.CR2"], for: Make.submission(lane: .interactive))
        #expect(
            try store.sendAll().map(\.source.raw.file.path.description) == ["i2.CR2", "i1.CR2", "b1.CR2", "b2.CR2"])
    }

    @Test("does not give out a paused batch until it is resumed")
    func pause() throws {
        let submission = Make.submission()
        try store.accept(["a.CR2"], for: submission)
        try store.pause(submission.batch)
        try store.accept(["b.CR2"], for: submission)
        #expect(try store.sendAll().isEmpty)
        #expect(try !store.hasOpenJobs())
        #expect(try store.totals().open == 2)
        try store.resume(submission.batch)
        #expect(try store.hasOpenJobs())
        #expect(try store.sendAll().count == 2)
        #expect(throws: LedgerError.unknownBatch) { try store.pause(.random()) }
    }

    @Test("ends a job once, however often its manifest comes, and knows strangers")
    func repeated() throws {
        try store.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        let manifest = Make.manifest(job, Make.completed())
        #expect(try store.close([manifest, manifest], offsets: [0: 2]) == [.ended(.catalogued), .repeated])
        #expect(try store.close([Make.manifest(job, Make.failed())], offsets: [0: 3]) == [.repeated])
        let stranger = Job(batch: .random(), source: Make.source("other.CR2"), recipe: Make.recipe)
        #expect(try store.close([Make.manifest(stranger, Make.completed())], offsets: [1: 1]) == [.unknown])
        #expect(try store.manifestOffsets() == [0: 3, 1: 1])
        #expect(try store.totals() == JobCounts(accepted: 1, catalogued: 1))
    }

    @Test("takes a late success after a failure or a cancellation, never a failure after a success")
    func late() throws {
        let submission = Make.submission()
        try store.accept(["a.CR2", "b.CR2"], for: submission)
        let jobs = try store.sendAll()
        #expect(try store.close([Make.manifest(jobs[0], Make.failed())], offsets: [:]) == [.ended(.failed)])
        try store.cancel(submission.batch)
        #expect(try store.close([Make.manifest(jobs[1], Make.failed())], offsets: [:]) == [.repeated])
        let successes = jobs.map { Make.manifest($0, Make.completed(degraded: "too green")) }
        #expect(try store.close(successes, offsets: [:]) == [.ended(.degraded), .ended(.degraded)])
        #expect(try store.totals() == JobCounts(accepted: 2, degraded: 2))
        #expect(try store.retry() == 0)
    }

    @Test("passes over manifests of an older round")
    func rounds() throws {
        try store.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.close([Make.manifest(job, Make.failed(.timeout))], offsets: [:])
        #expect(try store.retry(RetryFilter(reason: .corrupt)) == 0)
        #expect(try store.retry(RetryFilter(reason: .timeout)) == 1)
        let again = try store.sendAll()[0]
        #expect(again.round == 1 && again.id == job.id)
        #expect(try store.close([Make.manifest(job, Make.failed())], offsets: [:]) == [.repeated])
        #expect(try store.close([Make.manifest(job, Make.completed())], offsets: [:]) == [.repeated])
        #expect(try store.totals().open == 1)
        #expect(try store.close([Make.manifest(again, Make.completed())], offsets: [:]) == [.ended(.catalogued)])
    }

    @Test("gives out once a job that was tried in the last round there can be")
    func lastRound() throws {
        try store.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.close([Make.manifest(job, Make.failed(), round: .max)], offsets: [:])
        #expect(try store.retry() == 1)
        let again = try store.outbox(limit: 9)
        try store.markPublished(again)
        #expect(try again.count == 1 && store.outbox(limit: 9).isEmpty)
        let manifests = again.map { Make.manifest($0.job, Make.completed()) }
        #expect(try store.close(manifests, offsets: [:]) == [.ended(.catalogued)])
    }

    @Test("starts the named jobs afresh, and no others")
    func namedJobs() throws {
        try store.accept(["a.CR2", "b.CR2", "c.CR2"])
        let jobs = try store.sendAll()
        let ends = [Make.failed(), Make.failed(), Make.completed()]
        _ = try store.close(zip(jobs, ends).map { Make.manifest($0, $1) }, offsets: [:])
        let named = [jobs[1], jobs[2]].map { JobAddress(file: $0.source.raw.file, job: $0.id) }
        let elsewhere = JobAddress(file: jobs[0].source.raw.file, job: jobs[1].id)
        #expect(try store.retry(RetryFilter(jobs: named + [elsewhere])) == 1)
        #expect(try store.sendAll().map(\.id) == [jobs[1].id])
        #expect(try store.retry(RetryFilter(jobs: named)) == 0)
    }

    @Test("does not mark as sent what changed while it was sent")
    func changedWhileSent() throws {
        let submission = Make.submission()
        try store.accept(["a.CR2", "b.CR2"], for: submission)
        let entries = try store.outbox(limit: 9)
        _ = try store.close([Make.manifest(entries[0].job, Make.completed())], offsets: [:])
        try store.cancel(submission.batch)
        try store.accept(["b.CR2"])
        try store.markPublished(entries)
        #expect(try store.outbox(limit: 9).map(\.job.round) == [1])
        #expect(try store.totals().catalogued == 1)
    }

    @Test("leaves failures alone whose file was accepted in a newer state")
    func superseded() throws {
        try store.accept(["a.CR2"])
        _ = try store.close(try store.sendAll().map { Make.manifest($0, Make.failed()) }, offsets: [:])
        _ = try store.accept([Make.candidate(Make.source("a.CR2", size: 7))], for: Make.submission())
        #expect(try store.retry() == 0)
        var failures: [FailedJob] = []
        try store.eachFailure { failures.append($0) }
        #expect(failures.map(\.isSuperseded) == [true])
    }

    @Test("reports batches, and failures by reason with each file")
    func report() throws {
        let submission = Make.submission()
        let reasons: [FailureReason] = [.corrupt, .timeout, .corrupt, .decoderCrashed]
        try store.accept((0..<5).map { "\($0).CR2" }, for: submission)
        let manifests = zip(try store.sendAll(), reasons).map { Make.manifest($0, Make.failed($1)) }
        _ = try store.close(manifests, offsets: [:])
        let reader = try LedgerStore(path: folder.path + "/ledger.sqlite", mode: .readOnly)
        var batches: [BatchReport] = []
        try reader.eachBatch { batches.append($0) }
        #expect(batches.map(\.batch) == [submission.batch])
        #expect(batches[0].recipe == Make.recipe)
        #expect(batches[0].counts == JobCounts(accepted: 5, open: 1, failed: 4))
        #expect(try reader.failureCounts().map(\.reason) == [.corrupt, .decoderCrashed, .timeout])
        var failures: [FailedJob] = []
        try reader.eachFailure { failures.append($0) }
        #expect(failures.map { "\($0.file)" } == ["archive:0.CR2", "archive:2.CR2", "archive:3.CR2", "archive:1.CR2"])
        #expect(failures[2].failure == Failure(.decoderCrashed, "It is decoder-crashed.", signal: 11))
        failures = []
        try reader.eachFailure(reason: .timeout, batch: submission.batch) { failures.append($0) }
        #expect(failures.count == 1)
        try reader.eachFailure(batch: .random()) { _ in Issue.record("no such batch") }
    }

    @Test("gives a look's content one version, and other content under the same name the next")
    func looks() throws {
        let (one, two) = (SHA256Value(of: [1]), SHA256Value(of: [2]))
        #expect(try store.pinLook(name: "velvet", digest: one).version == 1)
        #expect(try store.pinLook(name: "velvet", digest: two).version == 2)
        #expect(try store.pinLook(name: "velvet", digest: one).version == 1)
        #expect(try store.pinLook(name: "neutral", digest: one, above: 3).version == 4)
        #expect(throws: LedgerError.self) { try store.pinLook(name: "No Name", digest: one) }
        #expect(try store.pinLook(name: "velvet", digest: SHA256Value(of: [3])).version == 3)
    }

    @Test("keeps roots, follows one that moved, and does not keep the library's")
    func roots() throws {
        var table = try store.roots()
        table.insert(RegisteredRoot(name: Make.root, path: Array("/moved".utf8)))
        table.insert(RegisteredRoot(name: .library, path: Array("/library".utf8)))
        try store.register(table)
        #expect(try store.roots().all == [RegisteredRoot(name: Make.root, path: Array("/moved".utf8))])
    }

    @Test("refuses what no event may do: forget a job, undo a catalogued one, lose count")
    func law() throws {
        try store.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.close([Make.manifest(job, Make.completed())], offsets: [:])
        for sql in [
            "DELETE FROM jobs", "UPDATE jobs SET state = 0", "UPDATE jobs SET state = 4, reason = 'corrupt'",
            "UPDATE batches SET accepted = 2", "UPDATE batches SET open = -1", "UPDATE jobs SET state = 9",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") { try store.connection.run(sql) }
        }
        #expect(try store.audit() == [])
    }

    @Test("an audit names a batch whose figures are wrong")
    func audit() throws {
        try store.accept(["a.CR2"])
        try store.connection.run("UPDATE batches SET accepted = 2, open = 2")
        #expect(try store.audit().count == 1)
    }

    @Test("refuses a ledger of a newer version, and an older one where it may not change it")
    func versions() throws {
        let path = folder.path + "/ledger.sqlite"
        try store.connection.script("PRAGMA user_version = 1")
        #expect(throws: LedgerError.self) { _ = try LedgerStore(path: path, mode: .readOnly) }
        try store.connection.script("PRAGMA user_version = 99")
        #expect(throws: DatabaseError.self) { _ = try LedgerStore(path: path) }
    }
}
