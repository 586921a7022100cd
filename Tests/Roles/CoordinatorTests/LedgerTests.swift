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

    @Test("sends the jobs of a family photo by photo, without those of a paused batch")
    func family() throws {
        let submissions = [Example.recipe, Example.otherRecipe].map { Example.submission($0) }
        let family = submissions[0].batch
        for submission in submissions {
            let candidates = ["a", "b", "c"].map { Example.candidate(Example.source($0), submission.recipe) }
            _ = try store.intake.accept(candidates, for: submission, family: family)
        }
        try store.intake.accept(["d"], for: Example.submission())
        let sent = try store.sendAll()
        #expect(sent.map { "\($0.source.raw.file.path)" } == ["a", "a", "b", "b", "c", "c", "d"])
        #expect(sent.prefix(6).map(\.recipe) == [0, 1, 0, 1, 0, 1].map { submissions[$0].recipe })
        _ = try store.outbox.republish(limit: 99)
        try store.control.pause(submissions[1].batch)
        #expect(try store.sendAll().map { "\($0.source.raw.file.path)" } == ["a", "b", "c", "d"])
        try store.control.resume(submissions[1].batch)
        #expect(try store.sendAll().map { "\($0.source.raw.file.path)" } == ["a", "b", "c"])
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

    @Test("accepts a job again whose photos a person removed, once, and no other")
    func removed() throws {
        try store.intake.accept(["a.CR2"])
        let job = try store.sendAll()[0]
        _ = try store.end([Example.result(job, Example.completed())], next: [0: 1])
        let raw = SHA256Value(of: [1])
        let other = RemovedPhoto(asset: raw, recipe: Example.otherRecipe.id)
        try store.results.noteRemoved([other])
        #expect(try store.intake.accept(["a.CR2"], for: Example.submission()).map(\.planClass) == [.unchanged])
        let results = JobResults(
            results: [], cluster: "none", answered: [:], highestPrecedence: 0,
            removed: [RemovedPhoto(asset: raw, recipe: Example.recipe.id)])
        _ = try store.results.merge([results], next: [0: 2], refusalDelays: [], now: 0)
        #expect(try store.intake.accept(["a.CR2"], for: Example.submission()).map(\.planClass) == [.stale(.photo)])
        let again = try store.sendAll()[0]
        #expect(again.round == job.round + 1)
        _ = try store.end([Example.result(again, Example.completed())], next: [0: 3])
        #expect(try store.intake.accept(["a.CR2"], for: Example.submission()).map(\.planClass) == [.unchanged])
    }

    @Test("accepts the jobs of a path again that the library forgot because its RAW had left it, once, and no other")
    func forgotten() throws {
        try store.intake.accept(["a.CR2", "b.CR2"])
        let jobs = try store.sendAll()
        _ = try store.end(jobs.map { Example.result($0, Example.completed()) }, next: [0: 1])
        let results = JobResults(
            results: [], cluster: "none", answered: [:], highestPrecedence: 0,
            forgotten: [Example.file("a.CR2"), Example.file("elsewhere.CR2")])
        _ = try store.results.merge([results], next: [0: 2], refusalDelays: [], now: 0)
        let classes = try store.intake.accept(["a.CR2", "b.CR2"], for: Example.submission()).map(\.planClass)
        #expect(classes == [.stale(.photo), .unchanged])
        let again = try store.sendAll()
        _ = try store.end(again.map { Example.result($0, Example.completed()) }, next: [0: 3])
        #expect(try store.intake.accept(["a.CR2"], for: Example.submission()).map(\.planClass) == [.unchanged])
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

    @Test("retries a job some of whose frames failed, by its reason, and counts it as catalogued when they are there")
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
        // Nothing keeps the worker from taking the photos that are there.
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
        #expect(causes[2].hasPrefix("\(kept) Tried again: It was given out"))
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

    @Test("forgets the frames of a job that a person removes while its others are retried")
    func removedFrames() throws {
        try store.intake.accept(["a.CR2"])
        _ = try store.end(try store.sendAll().map { Example.result($0, Example.partlyCompleted()) })
        #expect(try store.control.retry() == 1)
        try store.results.noteRemoved([RemovedPhoto(asset: SHA256Value(of: [1]), recipe: Example.recipe.id)])
        let again = try store.sendAll().map { Example.result($0, Example.failed()) }
        #expect(try store.end(again) == [.ended(.failed)])
    }

    @Test("recognises the failed frames that an earlier version counted")
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
