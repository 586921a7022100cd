import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("Retried jobs in the ledger")
struct LedgerRetryTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
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

    @Test("sends a job once that was retried in the last possible round")
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
}
