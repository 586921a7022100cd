import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("The plan's classes")
struct PlanTests {
    let folder: TemporaryFolder
    let store: LedgerStore

    init() throws {
        folder = try TemporaryFolder()
        store = try .fresh(in: folder)
    }

    private func classOf(_ source: Source, _ recipe: Recipe = Make.recipe, unreadable: String? = nil) throws
        -> PlanClass
    {
        let candidate = Make.candidate(source, recipe, unreadable: unreadable)
        let planned = try store.plan([candidate], recipe: recipe)[0].planClass
        let accepted = try store.accept([candidate], for: Make.submission(recipe))[0].planClass
        #expect(planned == accepted)
        return accepted
    }

    private func end(_ outcome: Manifest.Outcome) throws {
        let manifests = try store.sendAll().map { Make.manifest($0, outcome) }
        _ = try store.close(manifests, offsets: [:])
    }

    @Test("new, then pending, then unchanged")
    func way() throws {
        let source = Make.source("a.CR2")
        #expect(try classOf(source) == .new)
        #expect(try classOf(source) == .pending)
        _ = try store.sendAll()
        #expect(try classOf(source) == .pending)
        _ = try store.publishAgain(limit: 9)
        try end(Make.completed())
        #expect(try classOf(source) == .unchanged)
    }

    @Test("stale, with what changed")
    func stale() throws {
        #expect(try classOf(Make.source("a.CR2", sidecar: 1)) == .new)
        #expect(try classOf(Make.source("a.CR2", size: 2, sidecar: 1)) == .stale(.raw))
        #expect(try classOf(Make.source("a.CR2", size: 2, modified: 7, sidecar: 1)) == .stale(.raw))
        #expect(try classOf(Make.source("a.CR2", size: 2, modified: 7, sidecar: 2)) == .stale(.sidecar))
        #expect(try classOf(Make.source("a.CR2", size: 2, modified: 7)) == .stale(.sidecar))
        #expect(try classOf(Make.source("a.CR2", size: 2, modified: 7, companion: 1)) == .stale(.companion))
        #expect(
            try classOf(Make.source("a.CR2", size: 2, modified: 7, companion: 1), Make.otherRecipe) == .stale(.recipe))
        #expect(try classOf(Make.source("a.CR2", size: 2, modified: 7, companion: 1)) == .pending)
        #expect(try store.totals().accepted == 7)
    }

    @Test("failed before, unless the cause may have passed")
    func failed() throws {
        for reason in FailureReason.allCases {
            let source = Make.source("\(reason.rawValue).CR2")
            #expect(try classOf(source) == .new)
            try end(Make.failed(reason))
            let passing: Set<FailureReason> = [
                .sourceMissing, .sourceChanged, .sourceUnreadable, .diskFull, .storageUnavailable,
            ]
            switch try classOf(source) {
            case .again: #expect(passing.contains(reason))
            case .failedBefore(let failure): #expect(failure.reason == reason && !passing.contains(reason))
            case let other: Issue.record("\(reason) became \(other)")
            }
            _ = try store.sendAll()
        }
        #expect(try store.audit() == [])
    }

    @Test("unreadable: a failed job with its reason, open as soon as it can be read")
    func unreadable() throws {
        let source = Make.source("a.CR2")
        #expect(try classOf(source, unreadable: "Permission denied") == .unreadable("Permission denied"))
        #expect(try store.totals().failed == 1)
        #expect(try store.sendAll().isEmpty)
        #expect(try classOf(source, unreadable: "Permission denied") == .unreadable("Permission denied"))
        #expect(try store.totals() == JobCounts(accepted: 1, failed: 1))
        #expect(try classOf(source) == .again)
        try end(Make.completed())
        #expect(try classOf(source, unreadable: "Permission denied") == .unchanged)
    }

    @Test("again after a cancellation, in the new batch, while the old one keeps its count")
    func cancelled() throws {
        let first = Make.submission()
        try store.accept(["a.CR2", "b.CR2"], for: first)
        #expect(try store.cancel(first.batch) == 2)
        let second = Make.submission()
        #expect(try store.accept(["a.CR2"], for: second)[0].planClass == .again)
        #expect(try store.counts(of: first.batch) == JobCounts(accepted: 2, cancelled: 2))
        #expect(try store.counts(of: second.batch) == JobCounts(accepted: 1, open: 1))
        #expect(try store.sendAll().map(\.batch) == [second.batch])
        #expect(try store.audit() == [])
    }

    @Test("asked for again after other settings replaced its photo, it is made the current one again")
    func backAndForth() throws {
        let source = Make.source("a.CR2")
        var now: Int64 = 0
        for (recipe, expected) in [
            (Make.recipe, PlanClass.new), (Make.otherRecipe, .stale(.recipe)), (Make.recipe, .stale(.recipe)),
            (Make.recipe, .unchanged), (Make.otherRecipe, .stale(.recipe)),
        ] {
            #expect(try classOf(source, recipe) == expected)
            now += 1
            let manifests = try store.sendAll().map { Make.manifest($0, Make.completed(), finished: now) }
            _ = try store.close(manifests, offsets: [:])
        }
        var velvet = Make.recipe
        velvet.look = try #require(LookReference(name: "velvet", version: 1, digest: Make.look.digest))
        #expect(try classOf(source, velvet) == .stale(.recipe))
        #expect(try classOf(source, Make.otherRecipe) == .unchanged)
        #expect(try store.totals() == JobCounts(accepted: 5, open: 1, catalogued: 4))
        #expect(try store.audit() == [])
    }

    @Test("a cancelled batch takes no more jobs")
    func closed() throws {
        let submission = Make.submission()
        try store.accept(["a.CR2"], for: submission)
        try store.cancel(submission.batch)
        #expect(throws: LedgerError.batchCancelled) { try store.accept(["b.CR2"], for: submission) }
        #expect(try store.totals().accepted == 1)
    }

    @Test("what is read back is the source that was accepted")
    func sources() throws {
        let sources = [
            Make.source("x/y/a.CR2", size: .max, modified: -5, sidecar: 3, companion: 4), Make.source("b.CR2"),
        ]
        let submission = Make.submission(lane: .interactive, traceparent: "00-abc")
        _ = try store.accept(sources.map { Make.candidate($0) }, for: submission)
        let entries = try store.outbox(limit: 9)
        #expect(entries.map(\.job.source) == sources)
        #expect(entries.allSatisfy { $0.job.recipe == Make.recipe && $0.traceparent == "00-abc" })
        #expect(entries[0].job.id == Make.candidate(sources[0]).job)
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
