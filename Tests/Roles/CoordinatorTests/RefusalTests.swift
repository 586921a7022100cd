import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("A job whose photo the library refuses")
struct RefusalTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
        try store.intake.accept(["a.CR2"])
    }

    private func refuse(_ job: Job, now: Int64 = 1000) throws -> [ResultEffect] {
        try store.end([Example.result(job, Example.completed(), refusal: Example.refusal)], now: now)
    }

    private func release(at now: Int64) throws -> [Job] {
        _ = try store.outbox.releaseRefused(now: now)
        return try store.sendAll()
    }

    @Test("is open again, keeps the reason, and is sent in a new round when it is due")
    func openAgain() throws {
        let job = try store.sendAll()[0]
        #expect(try refuse(job) == [.refused(.seconds(10))])
        #expect(try store.reports.totals() == JobCounts(accepted: 1, open: 1))
        var refused: [RefusedJob] = []
        try store.reports.eachRefusal { refused.append($0) }
        #expect(refused.map(\.refusal) == [Example.refusal] && refused.map(\.count) == [1])
        let status = try store.reports.batchStatuses()[0]
        #expect(status.refused == 1 && status.refusal == Example.refusal && status.phase == .running)
        #expect(try release(at: 10_999).isEmpty && store.outbox.hasOpenJobs())
        // Neither a lost record nor a lost cluster sends it before it is due.
        #expect(try store.outbox.republish(limit: 9) == 0 && store.outbox.republishLost(limit: 9, maxSends: 3) == 0)
        #expect(try release(at: 11_000).map(\.round) == [1])
        #expect(try store.reports.audit() == [])
    }

    @Test("counts a refusal once, however often it arrives, and fails after the third")
    func threeTimes() throws {
        var job = try store.sendAll()[0]
        let first = job
        #expect(try refuse(job) == [.refused(.seconds(10))])
        #expect(try refuse(first) == [.repeated])
        job = try release(at: 20_000)[0]
        #expect(try refuse(first) == [.repeated])
        #expect(try refuse(job) == [.refused(.seconds(100))])
        job = try release(at: 1_000_000)[0]
        #expect(try refuse(job) == [.ended(.failed)])
        #expect(try store.reports.failureCounts().map(\.reason) == [.libraryRefused])
        #expect(try store.reports.refusedCount() == 0 && store.reports.audit() == [])
        // Retried, it has all its attempts again.
        #expect(try store.control.retry(RetryFilter(reason: .libraryRefused)) == 1)
        #expect(try refuse(try store.sendAll()[0]) == [.refused(.seconds(10))])
    }

    @Test("is catalogued when the library has it after all, also by another worker's manifest of the previous round")
    func lateSuccess() throws {
        let job = try store.sendAll()[0]
        _ = try refuse(job)
        #expect(try store.end([Example.result(job, Example.completed())]) == [.ended(.catalogued)])
        #expect(try refuse(job) == [.repeated])
        #expect(try release(at: 1_000_000).isEmpty)
        #expect(try store.reports.totals() == JobCounts(accepted: 1, catalogued: 1))
    }

    @Test("is not ended by a failure of the previous round")
    func lateFailure() throws {
        let job = try store.sendAll()[0]
        _ = try refuse(job)
        #expect(try store.end([Example.result(job, Example.failed())]) == [.repeated])
    }

    @Test("is sent at once after an operator's pause and resume, and can be cancelled")
    func operators() throws {
        let submission = Example.submission()
        try store.intake.accept(["b.CR2"], for: submission)
        for job in try store.sendAll() { _ = try refuse(job) }
        try store.control.pause(submission.batch)
        try store.control.resume(submission.batch)
        #expect(try store.sendAll().map(\.batch) == [submission.batch])
        #expect(try store.control.cancel(submission.batch) == 1)
        #expect(try store.reports.totals() == JobCounts(accepted: 2, open: 1, cancelled: 1))
    }
}

@Suite("The precedence of edits")
struct PrecedenceTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    private func precedence(of name: String, _ recipe: Recipe = Example.recipe) throws -> Int64 {
        try store.intake.accept([name], for: Example.submission(recipe))
        return try store.sendAll()[0].precedence
    }

    @Test("rises with every batch, independent of the submitter's clock")
    func rises() throws {
        let first = try precedence(of: "a.CR2")
        #expect(first > 1_500_000_000_000)
        #expect(try precedence(of: "a.CR2", Example.otherRecipe) > first)
    }

    @Test("exceeds everything in the library, so that a new ledger or a wrong clock hides no later edit")
    func aboveLibrary() throws {
        let monthAhead = try precedence(of: "a.CR2") + 2_600_000_000
        let record = JobResults(results: [], cluster: "c", answered: [:], highestPrecedence: monthAhead)
        _ = try store.results.merge([record], next: [:], refusalDelays: [], now: 0)
        #expect(try precedence(of: "b.CR2") == monthAhead + 1)
        let absurd = JobResults(results: [], cluster: "c", answered: [:], highestPrecedence: .max)
        _ = try store.results.merge([absurd], next: [:], refusalDelays: [], now: 0)
        let high = try precedence(of: "c.CR2")
        #expect(try precedence(of: "d.CR2") == high + 1)
    }

    @Test("decides whether a photo is hidden, not a worker's clock")
    func workersClock() throws {
        let source = Example.source("a.CR2")
        for (recipe, finished) in [(Example.recipe, Int64(9_000_000_000_000)), (Example.otherRecipe, 5)] {
            _ = try store.intake.accept([Example.candidate(source, recipe)], for: Example.submission(recipe))
            let results = try store.sendAll().map {
                JobResult(of: Example.manifest($0, Example.completed(), finished: finished))
            }
            _ = try store.end(results)
        }
        let again = try store.intake.plan([Example.candidate(source)], recipe: Example.recipe)
        #expect(again.map(\.planClass) == [.stale(.recipe)])
        let current = try store.intake.plan(
            [Example.candidate(source, Example.otherRecipe)], recipe: Example.otherRecipe)
        #expect(current.map(\.planClass) == [.unchanged])
    }
}
