import ExternalTools
import Broker
import Jobs
import Manifests
import SeededRandom
import Testing

@testable import Coordinator

@Suite("A coordinator that dies")
struct CrashTests {
    /// Runs until the gate closes. Returns whether the run ended before that.
    private func runDying(_ fixture: CoordinatorFixture, _ gate: CrashGate) async throws -> Bool {
        _ = try await Ledger.open(library: fixture.library)
        let ledger = try Ledger(at: fixture.ledgerLocation, gate: { try gate.step() })
        let run = CoordinatorRun(
            ledger: ledger, transport: CrashingTransport(inner: fixture.broker, gate: gate), library: fixture.library,
            settings: CoordinatorFixture.settings, report: { _ in })
        do {
            return try await run.run([fixture.request()]).isComplete
        } catch is Crash {
            return false
        }
    }

    private func fill(_ fixture: CoordinatorFixture) throws {
        for number in 0..<5 { try fixture.folder.file("archive/\(number % 2)/\(number).CR2") }
    }

    /// One job fails and all others succeed.
    private static let outcome: @Sendable (Job) -> Manifest.Outcome? = {
        "\($0.source.raw.file.path)" == "1/3.CR2" ? Example.failed() : Example.completed()
    }

    private func checkEnd(_ fixture: CoordinatorFixture, _ worker: FakeWorker, _ comment: String) throws {
        let (complaints, totals) = try fixture.ledger { (try $0.reports.audit(), try $0.reports.totals()) }
        #expect(complaints == [], "\(comment)")
        #expect(totals == JobCounts(accepted: 5, catalogued: 4, failed: 1), "\(comment)")
        #expect(Set(worker.log.jobs.map(\.id)).count == 5, "\(comment)")
    }

    @Test("at any step and then runs again loses nothing and counts nothing twice", .night)
    func everyStep() async throws {
        var step = 0
        var isFinished = false
        while !isFinished {
            let fixture = try await CoordinatorFixture()
            try fill(fixture)
            let worker = FakeWorker(fixture.broker, outcome: Self.outcome)
            let dying = step
            isFinished = try await worker.during {
                let gate = CrashGate(after: dying)
                let ended = try await runDying(fixture, gate)
                if !ended { _ = try await fixture.run(fixture.request()) }
                return ended
            }
            try checkEnd(fixture, worker, "died after \(step) steps")
            step += 1
        }
        #expect(step > 30)
    }

    @Test("at any step of sending jobs and then runs again sends no job twice")
    func sentOnce() async throws {
        for step in 0..<30 {
            let fixture = try await CoordinatorFixture()
            try fill(fixture)
            #expect(try await !runDying(fixture, CrashGate(after: step)))
            let worker = FakeWorker(fixture.broker, outcome: Self.outcome)
            _ = try await worker.during { try await fixture.run(fixture.request()) }
            #expect(worker.log.jobs.count == 5, "died after \(step) steps")
        }
    }

    @Test("at any step and then runs again leaves one dead letter of each job that the ledger itself ended", .night)
    func deadLetterOnce() async throws {
        var (step, isFinished) = (0, false)
        while !isFinished {
            let fixture = try await CoordinatorFixture()
            try fixture.folder.file("archive/a.CR2")
            try fixture.folder.file("archive/b.CR2")
            var refused = FakeWorker(fixture.broker) {
                "\($0.source.raw.file.path)" == "a.CR2" ? Example.completed() : .failed(Failure(.sourceMissing, "gone"))
            }
            refused.refusal = { "\($0.source.raw.file.path)" == "a.CR2" ? Example.refusal : nil }
            let (worker, dying) = (refused, step)
            isFinished = try await worker.during {
                let ended = try await runDying(fixture, CrashGate(after: dying))
                // A request would retry the failed jobs.
                if !ended { _ = try await fixture.run(nil) }
                return ended
            }
            let accepted = try fixture.ledger { try $0.reports.totals().accepted }
            let letters = try await fixture.letters()
            #expect(letters.count == Int(accepted), "died after \(step) steps")
            #expect(Set(letters.map(\.failure.reason)).count == Int(accepted), "died after \(step) steps")
            step += 1
        }
        #expect(step > 30)
    }

    @Test("again and again at random steps, and loses its broker, loses no job", arguments: 1...8)
    func manyTimes(seed: Int) async throws {
        var numbers = SeededGenerator(seed: UInt64(seed))
        let fixture = try await CoordinatorFixture()
        try fill(fixture)
        let log = FakeWorker.Log()
        let worker = FakeWorker(fixture.broker, log: log, outcome: Self.outcome)
        for _ in 0..<6 {
            let gate = CrashGate(after: .random(in: 0...25, using: &numbers))
            _ = try await worker.during { try await runDying(fixture, gate) }
        }
        // The broker is lost with everything in it.
        let fresh = try await EmbeddedBroker.inMemory()
        try await fresh.create(Topics.local)
        let last = FakeWorker(fresh, log: log, outcome: Self.outcome)
        _ = try await last.during { try await fixture.run(fixture.request(), on: fresh) }
        try checkEnd(fixture, last, "seed \(seed)")
    }

    @Test("only seems to, because the broker is away for a while, completes its run")
    func flaky() async throws {
        let fixture = try await CoordinatorFixture()
        try fill(fixture)
        let worker = FakeWorker(fixture.broker, outcome: Self.outcome)
        let events = RecordedEvents()
        let result = try await worker.during {
            try await fixture.run(fixture.request(), on: FlakyTransport(fixture.broker), events: events)
        }
        #expect(result.isComplete)
        try checkEnd(fixture, worker, "flaky")
        #expect(events.all.contains { if case .brokerUnavailable = $0 { true } else { false } })
    }
}
