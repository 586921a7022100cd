import Database
import Digest
import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("The ledger and failed frames")
struct LedgerFrameTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    @Test("counts a job that lacks a frame as degraded, with a sentence that names the frame")
    func lackingFrame() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        let outcome = Example.partlyCompleted()
        #expect(try store.end([Example.result(job, outcome)]) == [.ended(.degraded)])
        #expect(outcome.failure?.message == "1 of 2 frames became photos. Frame 2: It is cut.")
    }

    @Test("retries a job with failed frames, by its reason, and counts it as catalogued when they are there")
    func retriedFrames() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2", "c.CR2"], for: submission)
        let jobs = try store.sendAll()
        let outcomes = [Example.partlyCompleted(), Example.completed(degraded: "too green"), Example.failed(.timeout)]
        _ = try store.end(zip(jobs, outcomes).map { Example.result($0, $1) })
        #expect(
            try store.reports.retryableJobs() == [
                RetryableJobs(reason: .corrupt, failed: 0, lackingFrames: 1),
                RetryableJobs(reason: .timeout, failed: 1, lackingFrames: 0),
            ])
        #expect(try store.control.retry(RetryFilter(reason: .corrupt)) == 1)
        let again = try store.sendAll()
        // The worker may reuse the existing photos.
        #expect(again.map(\.id) == [jobs[0].id] && again.map(\.round) == [1] && !again[0].rendersAnew)
        #expect(try store.reports.totals() == JobCounts(accepted: 3, open: 1, degraded: 1, failed: 1))
        #expect(try store.end([Example.result(jobs[0], Example.partlyCompleted())]) == [.repeated])
        #expect(try store.end([Example.result(again[0], Example.completed())]) == [.ended(.catalogued)])
        #expect(try store.control.retry(RetryFilter(reason: .corrupt)) == 0)
        let named = JobAddress(file: jobs[1].source.raw.file, job: jobs[1].id)
        #expect(try store.control.retry(RetryFilter(jobs: [named])) == 0)
        #expect(try store.reports.audit() == [])
    }

    @Test("keeps the frames of a job whose retry fails, is refused too often, or is lost")
    func framesStay() throws {
        let submission = Example.submission()
        try store.intake.accept(["failed.CR2", "refused.CR2", "lost.CR2"], for: submission)
        let first = try store.sendAll()
        _ = try store.end(first.map { Example.result($0, Example.partlyCompleted()) })
        #expect(try store.control.retry() == 3)
        let again = try store.sendAll()
        #expect(try store.end([Example.result(again[0], Example.failed(.timeout))]) == [.ended(.degraded)])
        var refused = again[1]
        for now in [Int64(0), 1_000_000, 2_000_000] {
            _ = try store.end([Example.result(refused, Example.completed(), refusal: Example.refusal)], now: now)
            _ = try store.outbox.releaseRefused(now: now + 1_000_000)
            refused = try store.sendAll().first ?? refused
        }
        #expect(try store.outbox.republishLost(limit: 9, maxSends: 1) == 1)
        #expect(try store.reports.totals() == JobCounts(accepted: 3, degraded: 3))
        var causes: [String] = []
        try store.reports.eachDegraded {
            causes.append($0.cause)
            #expect($0.isRetryable)
        }
        let kept = "1 of 2 frames became photos. Frame 2: It is cut."
        #expect(causes[0] == "\(kept) Tried again: It is timeout.")
        #expect(causes[1].hasPrefix("\(kept) Tried again: The library refused the photo"))
        #expect(causes[2].hasPrefix("\(kept) Tried again: It was sent"))
        #expect(try store.reports.audit() == [])
    }

    @Test("cancels the retry of frames without losing what the library has, and renders nothing that was removed")
    func cancelledFrames() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2"], for: submission)
        _ = try store.end(try store.sendAll().map { Example.result($0, Example.partlyCompleted()) })
        #expect(try store.control.retry() == 1)
        #expect(try store.control.cancel(submission.batch) == 1)
        #expect(try store.reports.totals() == JobCounts(accepted: 1, degraded: 1))
        var causes: [String] = []
        try store.reports.eachDegraded { causes.append($0.cause) }
        #expect(causes == ["1 of 2 frames became photos. Frame 2: It is cut."])
        try store.results.noteRemoved([RemovedPhoto(asset: SHA256Value(of: [1]), recipe: Example.recipe.id)])
        #expect(try store.control.retry() == 0)
    }

    @Test("forgets the frames of a job that a user removes while its others are retried")
    func removedFrames() throws {
        try store.intake.accept(["a.CR2"])
        _ = try store.end(try store.sendAll().map { Example.result($0, Example.partlyCompleted()) })
        #expect(try store.control.retry() == 1)
        try store.results.noteRemoved([RemovedPhoto(asset: SHA256Value(of: [1]), recipe: Example.recipe.id)])
        let again = try store.sendAll().map { Example.result($0, Example.failed()) }
        #expect(try store.end(again) == [.ended(.failed)])
    }

    @Test("recognises failed frames counted by an earlier version")
    func earlierFrames() throws {
        let path = folder.path + "/old.sqlite"
        let old = try Connection(path: path)
        try old.migrate(Array(LedgerSchema.migrations.prefix(14)))
        try old.script(
            """
            INSERT INTO roots VALUES (1, 'archive', x'2f61');
            INSERT INTO recipes VALUES (1, x'00', '');
            INSERT INTO batches(id, batch, submitted_ms, recipe, lane, originals, engine)
                VALUES (1, x'\(String(repeating: "00", count: 16))', 1, 1, 0, 'reference', 5);
            """)
        for (path, message) in [("a", "2 of 13 frames became photos. Frame 3: It is cut."), ("b", "Too green.")] {
            try old.run(
                """
                INSERT INTO jobs(root, path, id, batch, recipe, state, size, modified_ns, base, message)
                VALUES (1, ?, ?, 1, 1, 3, 1, 1, x'61', ?)
                """, Array(path.utf8), SHA256Value(of: Array(path.utf8)).bytes, message)
        }
        let store = try LedgerStore(path: path)
        #expect(
            try store.reports.retryableJobs() == [RetryableJobs(reason: nil, failed: 0, lackingFrames: 1)])
        #expect(try store.control.retry(RetryFilter(reason: .corrupt)) == 0)
        #expect(try store.control.retry() == 1)
        #expect(try store.reports.totals() == JobCounts(accepted: 2, open: 1, degraded: 1))
    }
}
