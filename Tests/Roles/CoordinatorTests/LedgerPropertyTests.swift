import Jobs
import Manifests
import Testing

@testable import Coordinator

struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 27)
    }
}

/// Does random things to a ledger, and keeps what must not be lost.
private struct Storm {
    let store: LedgerStore
    var numbers: SeededNumbers
    var batches: [Submission] = [Make.submission(), Make.submission(Make.otherRecipe, lane: .interactive)]
    /// Every record that was ever sent: any of them may be answered at any time.
    var sent: [Job] = []
    var accepted: Set<JobID> = []
    var catalogued: Set<JobID> = []

    mutating func step() throws {
        switch Int.random(in: 0..<12, using: &numbers) {
        case 0...2: try accept()
        case 3...4: try send()
        case 5...8: try answer()
        case 9: try control()
        case 10:
            let reason: FailureReason?? = [nil, .corrupt, .timeout].randomElement(using: &numbers)
            _ = try store.retry(RetryFilter(reason: reason ?? nil))
        default:
            _ =
                try Bool.random(using: &numbers)
                ? store.publishAgain(limit: 3) : store.publishVanishedAgain(limit: 3, sends: 3)
        }
    }

    private mutating func accept() throws {
        if Int.random(in: 0..<8, using: &numbers) == 0 {
            batches.append(
                Make.submission([Make.recipe, Make.otherRecipe].randomElement(using: &numbers) ?? Make.recipe))
        }
        guard let submission = batches.randomElement(using: &numbers) else { return }
        let candidates = (0..<4).map { _ in
            Make.candidate(
                Make.source(
                    "\(Int.random(in: 0..<20, using: &numbers)).CR2", size: .random(in: 1...2, using: &numbers)),
                submission.recipe, unreadable: Int.random(in: 0..<9, using: &numbers) == 0 ? "no" : nil)
        }
        do {
            for entry in try store.accept(candidates, for: submission) {
                accepted.insert(entry.job)
                // A photo that another recipe's had replaced is asked for again.
                if entry.planClass == .stale(.recipe) { catalogued.remove(entry.job) }
            }
        } catch LedgerError.batchCancelled {}
    }

    private mutating func send() throws {
        let entries = try store.outbox(limit: .random(in: 1...5, using: &numbers))
        sent += entries.map(\.job)
        // Or the process died before it could note it.
        if Int.random(in: 0..<4, using: &numbers) > 0 { try store.markPublished(entries) }
    }

    private mutating func answer() throws {
        let jobs = (0..<3).compactMap { _ in sent.randomElement(using: &numbers) }
        let manifests = jobs.map { job in
            let outcomes = [
                Make.completed(), Make.completed(degraded: "odd"), Make.failed(.corrupt), Make.failed(.timeout),
            ]
            return Make.manifest(job, outcomes.randomElement(using: &numbers) ?? Make.failed())
        }
        for (manifest, closing) in zip(manifests, try store.close(manifests, offsets: [0: 1])) {
            if case .ended(let state) = closing, state.isCatalogued {
                #expect(!catalogued.contains(manifest.job), "ended twice")
                catalogued.insert(manifest.job)
            }
        }
    }

    private mutating func control() throws {
        guard let batch = batches.randomElement(using: &numbers)?.batch else { return }
        do {
            switch Int.random(in: 0..<6, using: &numbers) {
            case 0...1: try store.pause(batch)
            case 2...4: try store.resume(batch)
            default: try store.cancel(batch)
            }
        } catch LedgerError.unknownBatch {}
    }

    func check() throws {
        #expect(try store.audit() == [])
        try store.eachBatch { #expect($0.counts.isBalanced) }
        let states = try store.states()
        #expect(Set(states.keys) == accepted)
        #expect(Set(states.filter { $0.value.isCatalogued }.keys) == catalogued)
    }
}

@Suite("The ledger's law")
struct LedgerPropertyTests {
    @Test("holds after every step of any sequence of events: nothing lost, nothing counted twice", arguments: 1...10)
    func storm(seed: Int) throws {
        let folder = try TemporaryFolder()
        var storm = Storm(store: try .fresh(in: folder), numbers: SeededNumbers(state: UInt64(seed)))
        for _ in 0..<150 {
            try storm.step()
            try storm.check()
        }
        #expect(!storm.catalogued.isEmpty)
    }
}
