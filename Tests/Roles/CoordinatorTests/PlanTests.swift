import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("A file's class in the plan is")
struct PlanTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    private func classOf(_ source: Source, _ recipe: Recipe = Example.recipe, unreadable: String? = nil) throws
        -> PlanClass
    {
        let candidate = Example.candidate(source, recipe, unreadable: unreadable)
        let planned = try store.intake.plan([candidate], recipe: recipe)[0].planClass
        let accepted = try store.intake.accept([candidate], for: Example.submission(recipe))[0].planClass
        #expect(planned == accepted)
        return accepted
    }

    private func end(_ outcome: Manifest.Outcome) throws {
        let results = try store.sendAll().map { Example.result($0, outcome) }
        _ = try store.end(results)
    }

    @Test("new, then pending, then unchanged")
    func newToUnchanged() throws {
        let source = Example.source("a.CR2")
        #expect(try classOf(source) == .new)
        #expect(try classOf(source) == .pending)
        _ = try store.sendAll()
        #expect(try classOf(source) == .pending)
        _ = try store.outbox.republish(limit: 9)
        try end(Example.completed())
        #expect(try classOf(source) == .unchanged)
    }

    @Test("stale, with the changed parts")
    func stale() throws {
        #expect(try classOf(Example.source("a.CR2", sidecar: 1)) == .new)
        #expect(try classOf(Example.source("a.CR2", size: 2, sidecar: 1)) == .stale(.raw))
        #expect(try classOf(Example.source("a.CR2", size: 2, modified: 7, sidecar: 1)) == .stale(.raw))
        #expect(try classOf(Example.source("a.CR2", size: 2, modified: 7, sidecar: 2)) == .stale(.sidecar))
        #expect(try classOf(Example.source("a.CR2", size: 2, modified: 7)) == .stale(.sidecar))
        #expect(try classOf(Example.source("a.CR2", size: 2, modified: 7, companion: 1)) == .stale(.companion))
        #expect(
            try classOf(Example.source("a.CR2", size: 2, modified: 7, companion: 1), Example.otherRecipe)
                == .stale(.recipe))
        #expect(try classOf(Example.source("a.CR2", size: 2, modified: 7, companion: 1)) == .pending)
        #expect(try store.reports.totals().accepted == 7)
    }

    @Test("failed before, unless the cause may be gone")
    func failed() throws {
        for reason in FailureReason.allCases {
            let source = Example.source("\(reason.rawValue).CR2")
            #expect(try classOf(source) == .new)
            try end(Example.failed(reason))
            let transient: Set<FailureReason> = [
                .sourceMissing, .sourceChanged, .sourceUnreadable, .diskFull, .storageUnavailable, .libraryRefused,
            ]
            switch try classOf(source) {
            case .again: #expect(transient.contains(reason))
            case .failedBefore(let failure): #expect(failure.reason == reason && !transient.contains(reason))
            case let other: Issue.record("\(reason) became \(other)")
            }
            _ = try store.sendAll()
        }
        #expect(try store.reports.audit() == [])
    }

    @Test("unreadable, with a failed job that opens as soon as the file can be read")
    func unreadable() throws {
        let source = Example.source("a.CR2")
        #expect(try classOf(source, unreadable: "Permission denied") == .unreadable("Permission denied"))
        #expect(try store.reports.totals().failed == 1)
        #expect(try store.sendAll().isEmpty)
        #expect(try classOf(source, unreadable: "Permission denied") == .unreadable("Permission denied"))
        #expect(try store.reports.totals() == JobCounts(accepted: 1, failed: 1))
        #expect(try classOf(source) == .again)
        try end(Example.completed())
        #expect(try classOf(source, unreadable: "Permission denied") == .unchanged)
    }

    @Test("again after a cancellation, in the new batch, and the old batch keeps its counts")
    func cancelled() throws {
        let first = Example.submission()
        try store.intake.accept(["a.CR2", "b.CR2"], for: first)
        #expect(try store.control.cancel(first.batch) == 2)
        let second = Example.submission()
        #expect(try store.intake.accept(["a.CR2"], for: second)[0].planClass == .again)
        #expect(try store.reports.counts(of: first.batch) == JobCounts(accepted: 2, cancelled: 2))
        #expect(try store.reports.counts(of: second.batch) == JobCounts(accepted: 1, open: 1))
        #expect(try store.sendAll().map(\.batch) == [second.batch])
        #expect(try store.reports.audit() == [])
    }

    @Test("stale for a photo that other settings replaced, and that is requested again")
    func backAndForth() throws {
        let source = Example.source("a.CR2")
        for (recipe, expected) in [
            (Example.recipe, PlanClass.new), (Example.otherRecipe, .stale(.recipe)), (Example.recipe, .stale(.recipe)),
            (Example.recipe, .unchanged), (Example.otherRecipe, .stale(.recipe)),
        ] {
            #expect(try classOf(source, recipe) == expected)
            let results = try store.sendAll().map { Example.result($0, Example.completed()) }
            _ = try store.end(results)
        }
        var velvet = Example.recipe
        velvet.look = try #require(LookReference(name: "velvet", version: 1, digest: Example.look.digest))
        #expect(try classOf(source, velvet) == .stale(.recipe))
        #expect(try classOf(source, Example.otherRecipe) == .unchanged)
        #expect(try store.reports.totals() == JobCounts(accepted: 5, open: 1, catalogued: 4))
        #expect(try store.reports.audit() == [])
    }

    @Test("a cancelled batch accepts no more jobs")
    func closed() throws {
        let submission = Example.submission()
        try store.intake.accept(["a.CR2"], for: submission)
        try store.control.cancel(submission.batch)
        #expect(throws: LedgerError.batchCancelled) { try store.intake.accept(["b.CR2"], for: submission) }
        #expect(try store.reports.totals().accepted == 1)
    }

    @Test("the accepted source is read back unchanged")
    func sources() throws {
        let sources = [
            Example.source("x/y/a.CR2", size: .max, modified: -5, sidecar: 3, companion: 4), Example.source("b.CR2"),
        ]
        let submission = Example.submission(lane: .interactive, traceparent: "00-abc")
        _ = try store.intake.accept(sources.map { Example.candidate($0) }, for: submission)
        let entries = try store.outbox.next(limit: 9)
        #expect(entries.map(\.job.source) == sources)
        #expect(entries.allSatisfy { $0.job.recipe == Example.recipe && $0.traceparent == "00-abc" })
        #expect(entries[0].job.id == Example.candidate(sources[0]).job)
    }

    @Test("counts add up")
    func counts() {
        var counts = PlanCounts()
        for planClass: PlanClass in [.new, .stale(.raw), .stale(.recipe), .again, .pending, .unreadable("")] {
            counts.count(planClass)
        }
        counts.count(WalkProblem(.missing, []))
        counts.count(WalkProblem(.linkOut, []))
        #expect(counts.submitted == 4 && counts.unreadable == 2 && counts.linksOut == 1)
    }
}
