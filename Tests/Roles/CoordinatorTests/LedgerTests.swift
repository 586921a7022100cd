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

    @Test("is not mistaken for an older version's while its file is empty")
    func empty() throws {
        let path = folder.path + "/empty.sqlite"
        _ = try Connection(path: path).schemaVersion
        let error = #expect(throws: LedgerError.self) { _ = try LedgerStore(path: path, mode: .readOnly) }
        #expect(error == .otherVersion(found: 0, known: LedgerSchema.schema.version))
        #expect(error?.description.contains("has no tables yet") == true)
    }

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

    @Test("accepts a job again whose photos a user removed, once, and no other")
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
}
