import Broker
import Database
import Digest
import Foundation
import Jobs
import Manifests
import Records
import Synchronization
import Testing

@testable import Coordinator

@Suite("A run")
struct RunTests {
    let fixture: CoordinatorFixture

    init() async throws { fixture = try await CoordinatorFixture() }

    @Test("converts a folder, reports each step, and finds nothing to do the second time")
    func twice() async throws {
        for number in 0..<10 { try fixture.folder.file("archive/\(number % 3)/\(number).CR2") }
        try fixture.folder.file("archive/notes.txt")
        let events = RecordedEvents()
        let worker = FakeWorker(fixture.broker)
        let first = try await worker.during { try await fixture.run(fixture.request(), events: events) }
        #expect(first.isComplete)
        #expect(first.totals == JobCounts(accepted: 10, catalogued: 10))
        #expect(first.plan?.new == 10 && first.plan?.skipped.notRaw == 1)
        #expect(Set(events.ended.map(\.0)).count == 10)
        #expect(worker.log.jobs.count == 10)
        let second = try await fixture.run(fixture.request())
        #expect(second.isComplete)
        #expect(second.plan?.unchanged == 10 && second.plan?.submitted == 0)
        #expect(try fixture.ledger { try $0.reports.audit() } == [])
    }

    @Test("reports and stores failures, and retries them when asked")
    func failures() async throws {
        for name in ["good.CR2", "bad.CR2"] { try fixture.folder.file("archive/\(name)") }
        let worker = FakeWorker(fixture.broker) { job in
            job.round == 0 && "\(job.source.raw.file)".contains("bad") ? Example.failed(.timeout) : Example.completed()
        }
        let result = try await worker.during { try await fixture.run(fixture.request()) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 2, catalogued: 1, failed: 1))
        #expect(try fixture.ledger { try $0.control.retry() } == 1)
        let again = try await worker.during { try await fixture.run(nil) }
        #expect(again.totals == JobCounts(accepted: 2, catalogued: 2))
    }

    @Test("begins to publish before the walk is complete")
    func streaming() async throws {
        for number in 0..<60 { try fixture.folder.file("archive/\(number).CR2") }
        let hasEnded = Mutex(false)
        let deadline = ContinuousClock.now + .seconds(60)
        let run = CoordinatorRun(
            ledger: try await Ledger.open(library: fixture.library), transport: fixture.broker,
            library: fixture.library,
            settings: CoordinatorFixture.settings,
            report: { event in
                switch event {
                // Delays the walk until a job was rendered, which must not wait for the walk.
                case .entry:
                    while !hasEnded.withLock({ $0 }), ContinuousClock.now < deadline {
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                case .ended: hasEnded.withLock { $0 = true }
                case .planned: #expect(hasEnded.withLock { $0 })
                default: break
                }
            })
        let result = try await FakeWorker(fixture.broker).during { try await run.run([fixture.request()]) }
        #expect(result.totals.catalogued == 60)
    }

    @Test("stopped by its task's cancellation reports this, and the next run continues")
    func stopped() async throws {
        for number in 0..<8 { try fixture.folder.file("archive/\(number).CR2") }
        let task = Task { try await fixture.run(fixture.request()) }
        for _ in 0..<10_000 {
            if (try? jobStates(in: fixture.ledgerLocation).values.count { $0 == .published }) == 8 { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        let stopped = try await task.value
        #expect(!stopped.isComplete && stopped.totals.open == 8)
        let events = RecordedEvents()
        let result = try await FakeWorker(fixture.broker).during {
            try await fixture.run(fixture.request(), events: events)
        }
        #expect(result.isComplete && result.totals.catalogued == 8)
        #expect(events.foundOpenJobs == 8)
        #expect(result.plan?.pending == 8 || (result.plan?.unchanged ?? 0) > 0)
    }

    @Test("sends the trace context with every record, keyed by the source")
    func headers() async throws {
        try fixture.folder.file("archive/a.CR2")
        let task = Task {
            try await fixture.run(fixture.request(Example.submission(lane: .interactive, traceparent: "00-aa-bb-01")))
        }
        let reader = try await fixture.broker.reader(topic: Topics.interactiveJobs, from: [:])
        var found: [Delivery] = []
        while found.isEmpty { found = try await reader.poll(limit: 1, wait: .milliseconds(100)) }
        task.cancel()
        _ = try await task.value
        let job = try Job(record: found[0].record.value ?? [])
        #expect(found[0].record.key == job.source.fingerprint.bytes)
        #expect(found[0].record.header("traceparent") == Array("00-aa-bb-01".utf8))
    }

    @Test("can be read by another process while it writes")
    func watched() async throws {
        for number in 0..<200 { try fixture.folder.file("archive/\(number).CR2") }
        _ = try await Ledger.open(library: fixture.library)
        let hasLooked = Mutex(false)
        let watcher = Task {
            let reader = try LedgerStore(at: fixture.ledgerLocation, mode: .readOnly)
            var looks = 0
            while try reader.reports.totals().catalogued < 200 {
                try reader.reports.eachBatch { #expect($0.counts.isBalanced) }
                looks += 1
                hasLooked.withLock { $0 = true }
                try await Task.sleep(for: .milliseconds(2))
            }
            return looks
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while !hasLooked.withLock({ $0 }), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(2))
        }
        _ = try await FakeWorker(fixture.broker).during { try await fixture.run(fixture.request()) }
        #expect(try await watcher.value > 0)
    }

    @Test("ends when its batch is cancelled while it is planned")
    func cancelled() async throws {
        for number in 0..<50 { try fixture.folder.file("archive/\(number).CR2") }
        let submission = Example.submission()
        let ledger = try await Ledger.open(library: fixture.library)
        let isFirst = Mutex(true)
        let run = CoordinatorRun(
            ledger: ledger, transport: fixture.broker, library: fixture.library, settings: CoordinatorFixture.settings,
            report: { event in
                guard case .entry = event,
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return }
                _ = try? await ledger.perform { try $0.control.cancel(submission.batch) }
            })
        let result = try await run.run([fixture.request(submission)])
        #expect(result.isComplete && result.plan == nil)
        #expect(result.totals.open == 0 && result.totals.cancelled == result.totals.accepted)
        #expect((1..<50).contains(result.totals.accepted))
    }
}
