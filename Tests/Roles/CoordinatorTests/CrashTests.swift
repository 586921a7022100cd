import Broker
import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite("A coordinator that dies")
struct CrashTests {
    /// Runs until the gate closes. Answers whether it came to its end before.
    private func runDying(_ bench: Bench, _ gate: CrashGate) async throws -> Bool {
        _ = try await Ledger.open(library: bench.library)
        let ledger = try Ledger(path: bench.ledgerPath, gate: { try gate.step() })
        let run = CoordinatorRun(
            ledger: ledger, transport: CrashingTransport(inner: bench.broker, gate: gate), library: bench.library,
            settings: Bench.settings, report: { _ in })
        do {
            return try await run.run(bench.request()).isComplete
        } catch is Crash {
            return false
        }
    }

    private func fill(_ bench: Bench) throws {
        for number in 0..<5 { try bench.folder.file("archive/\(number % 2)/\(number).CR2") }
    }

    /// One of them fails; all the others are photos.
    private static let outcome: @Sendable (Job) -> Manifest.Outcome? = {
        "\($0.source.raw.file.path)" == "1/3.CR2" ? Make.failed() : Make.completed()
    }

    private func checkEnd(_ bench: Bench, _ worker: FakeWorker, _ comment: String) throws {
        let (complaints, totals) = try bench.ledger { (try $0.audit(), try $0.totals()) }
        #expect(complaints == [], "\(comment)")
        #expect(totals == JobCounts(accepted: 5, catalogued: 4, failed: 1), "\(comment)")
        #expect(Set(worker.log.jobs.map(\.id)).count == 5, "\(comment)")
    }

    @Test("at any step, then runs again: nothing is lost and nothing counted twice")
    func everyStep() async throws {
        var step = 0
        var isOver = false
        while !isOver {
            let bench = try await Bench()
            try fill(bench)
            let worker = FakeWorker(bench.broker, outcome: Self.outcome)
            let dying = step
            isOver = try await worker.during {
                let gate = CrashGate(after: dying)
                let ended = try await runDying(bench, gate)
                if !ended { _ = try await bench.run(bench.request()) }
                return ended
            }
            try checkEnd(bench, worker, "died after \(step) steps")
            step += 1
        }
        #expect(step > 30)
    }

    @Test("at any step of giving jobs out, then runs again: no job is given out twice")
    func givenOutOnce() async throws {
        for step in 0..<30 {
            let bench = try await Bench()
            try fill(bench)
            #expect(try await !runDying(bench, CrashGate(after: step)))
            let worker = FakeWorker(bench.broker, outcome: Self.outcome)
            _ = try await worker.during { try await bench.run(bench.request()) }
            #expect(worker.log.jobs.count == 5, "died after \(step) steps")
        }
    }

    @Test("again and again, at random steps, with the broker lost in between", arguments: 1...8)
    func manyTimes(seed: Int) async throws {
        var numbers = SeededNumbers(state: UInt64(seed))
        let bench = try await Bench()
        try fill(bench)
        let log = FakeWorker.Log()
        let worker = FakeWorker(bench.broker, log: log, outcome: Self.outcome)
        for _ in 0..<6 {
            let gate = CrashGate(after: .random(in: 0...25, using: &numbers))
            _ = try await worker.during { try await runDying(bench, gate) }
        }
        // The broker is lost with everything in it.
        let fresh = try await EmbeddedBroker.inMemory()
        try await fresh.create(Topics.onOneMachine)
        let last = FakeWorker(fresh, log: log, outcome: Self.outcome)
        _ = try await last.during { try await bench.run(bench.request(), on: fresh) }
        try checkEnd(bench, last, "seed \(seed)")
    }

    @Test("does not, where only the broker is away for a while")
    func flaky() async throws {
        let bench = try await Bench()
        try fill(bench)
        let worker = FakeWorker(bench.broker, outcome: Self.outcome)
        let events = Events()
        let result = try await worker.during {
            try await bench.run(bench.request(), on: FlakyTransport(bench.broker), events: events)
        }
        #expect(result.isComplete)
        try checkEnd(bench, worker, "flaky")
        #expect(events.all.contains { if case .brokerUnavailable = $0 { true } else { false } })
    }
}
