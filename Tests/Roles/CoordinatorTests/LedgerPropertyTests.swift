import ExternalTools
import Jobs
import Manifests
import SeededRandom
import Testing

@testable import Coordinator

/// Performs random operations on a ledger, and remembers what it must not lose.
private struct RandomEvents {
    let location: LedgerLocation
    let store: LedgerStore
    var generator: SeededGenerator
    var batches: [Submission] = [Example.submission(), Example.submission(Example.otherRecipe, lane: .interactive)]
    /// Every record ever sent. A worker may answer any of them at any time.
    var sent: [Job] = []
    var accepted: Set<JobID> = []
    var catalogued: Set<JobID> = []
    /// Catalogued jobs whose failed frames were reopened. The library keeps their photos.
    var retried: Set<JobID> = []
    /// Milliseconds since 1970.
    var clock: Int64 = 0

    init(seed: Int, in folder: TemporaryFolder, isOnServer: Bool = TestLedger.isOnServer) throws {
        location = try TestLedger.location(in: folder, isOnServer: isOnServer)
        store = try .fresh(in: folder, isOnServer: isOnServer)
        generator = SeededGenerator(seed: UInt64(seed))
    }

    mutating func step() throws {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0...2: try accept()
        case 3...4: try send()
        case 5...8: try end()
        case 9: try control()
        case 10:
            let reason: FailureReason?? = [nil, .corrupt, .timeout].randomElement(using: &generator)
            _ = try store.control.retry(RetryFilter(reason: reason ?? nil))
            let states = try jobStates(in: location)
            let opened = catalogued.filter { states[$0]?.isOpen == true }
            catalogued.subtract(opened)
            retried.formUnion(opened)
        case 11: _ = try store.outbox.releaseRefused(now: clock)
        default:
            _ =
                try Bool.random(using: &generator)
                ? store.outbox.republish(limit: 3) : store.outbox.republishLost(limit: 3, maxSends: 3)
        }
    }

    private mutating func accept() throws {
        if Int.random(in: 0..<8, using: &generator) == 0 {
            batches.append(
                Example.submission(
                    [Example.recipe, Example.otherRecipe].randomElement(using: &generator) ?? Example.recipe))
        }
        guard let submission = batches.randomElement(using: &generator) else { return }
        let candidates = (0..<4).map { _ in
            Example.candidate(
                Example.source(
                    "\(Int.random(in: 0..<20, using: &generator)).CR2", size: .random(in: 1...2, using: &generator)),
                submission.recipe, unreadable: Int.random(in: 0..<9, using: &generator) == 0 ? "no" : nil)
        }
        do {
            for entry in try store.intake.accept(candidates, for: submission) {
                accepted.insert(entry.job)
                // The photo was replaced by one of another recipe, and is requested again.
                if entry.planClass == .stale(.recipe) {
                    catalogued.remove(entry.job)
                    retried.remove(entry.job)
                }
            }
        } catch LedgerError.batchCancelled {}
    }

    private mutating func send() throws {
        let entries = try store.outbox.next(limit: .random(in: 1...5, using: &generator))
        sent += entries.map(\.job)
        // One time in four the process dies before it can mark them.
        if Int.random(in: 0..<4, using: &generator) > 0 { try store.outbox.markSent(entries) }
    }

    private mutating func end() throws {
        let jobs = (0..<3).compactMap { _ in sent.randomElement(using: &generator) }
        clock += .random(in: 0...20_000, using: &generator)
        let results = jobs.map { job in
            let outcomes = [
                Example.completed(), Example.completed(degraded: "odd"), Example.partlyCompleted(),
                Example.failed(.corrupt),
                Example.failed(.timeout),
            ]
            return Example.result(
                job, outcomes.randomElement(using: &generator) ?? Example.failed(),
                refusal: Int.random(in: 0..<4, using: &generator) == 0 ? Example.refusal : nil)
        }
        for (result, effect) in zip(results, try store.end(results, next: [0: 1], now: clock)) {
            if case .ended(let state) = effect, state.isCatalogued {
                #expect(!catalogued.contains(result.job), "ended twice")
                catalogued.insert(result.job)
                retried.remove(result.job)
            }
        }
    }

    private mutating func control() throws {
        guard let batch = batches.randomElement(using: &generator)?.batch else { return }
        do {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0...1: try store.control.pause(batch)
            case 2...4: try store.control.resume(batch)
            default: try store.control.cancel(batch)
            }
        } catch LedgerError.unknownBatch {}
    }

    func check() throws {
        #expect(try store.reports.audit() == [])
        try store.reports.eachBatch { #expect($0.counts.isBalanced) }
        let states = try jobStates(in: location)
        #expect(Set(states.keys) == accepted)
        #expect(Set(states.filter { $0.value.isCatalogued && !retried.contains($0.key) }.keys) == catalogued)
        #expect(retried.allSatisfy { states[$0]?.isOpen == true || states[$0] == .degraded })
    }
}

@Suite("The ledger's invariants")
struct LedgerPropertyTests {
    @Test("hold after every step of any sequence of events: nothing is lost or counted twice", arguments: 1...10)
    func randomEvents(seed: Int) throws {
        let folder = try TemporaryFolder()
        try run(RandomEvents(seed: seed, in: folder))
    }

    @Test("hold on a server as well", .needs(.postgreSQL), arguments: 1...2)
    func randomEventsOnServer(seed: Int) throws {
        let folder = try TemporaryFolder()
        try run(RandomEvents(seed: seed, in: folder, isOnServer: true))
    }

    private func run(_ events: RandomEvents) throws {
        var events = events
        for _ in 0..<150 {
            try events.step()
            try events.check()
        }
        #expect(!events.catalogued.isEmpty)
    }
}
