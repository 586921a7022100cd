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
    let bench: Bench

    init() async throws { bench = try await Bench() }

    @Test("converts a folder, tells each step, and finds nothing to do the second time")
    func twice() async throws {
        for number in 0..<10 { try bench.folder.file("archive/\(number % 3)/\(number).CR2") }
        try bench.folder.file("archive/notes.txt")
        let events = Events()
        let worker = FakeWorker(bench.broker)
        let first = try await worker.during { try await bench.run(bench.request(), events: events) }
        #expect(first.isComplete)
        #expect(first.totals == JobCounts(accepted: 10, catalogued: 10))
        #expect(first.plan?.new == 10 && first.plan?.passed.notRaw == 1)
        #expect(Set(events.ended.map(\.0)).count == 10)
        #expect(worker.log.jobs.count == 10)
        let second = try await bench.run(bench.request())
        #expect(second.isComplete)
        #expect(second.plan?.unchanged == 10 && second.plan?.submitted == 0)
        #expect(try bench.ledger { try $0.audit() } == [])
    }

    @Test("ends with failures told and kept, and retries them when asked")
    func failures() async throws {
        for name in ["good.CR2", "bad.CR2"] { try bench.folder.file("archive/\(name)") }
        let worker = FakeWorker(bench.broker) { job in
            job.round == 0 && "\(job.source.raw.file)".contains("bad") ? Make.failed(.timeout) : Make.completed()
        }
        let result = try await worker.during { try await bench.run(bench.request()) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 2, catalogued: 1, failed: 1))
        #expect(try bench.ledger { try $0.retry() } == 1)
        let again = try await worker.during { try await bench.run(nil) }
        #expect(again.totals == JobCounts(accepted: 2, catalogued: 2))
    }

    @Test("begins to publish before the walk is at its end")
    func streaming() async throws {
        for number in 0..<60 { try bench.folder.file("archive/\(number).CR2") }
        let wasEarly = Mutex(false)
        let patience = ContinuousClock.now + .seconds(60)
        let run = CoordinatorRun(
            ledger: try await Ledger.open(library: bench.library), transport: bench.broker, library: bench.library,
            settings: Bench.settings,
            report: { event in
                switch event {
                // The walk is held up until a job was rendered, which must not wait for the walk.
                case .entry:
                    while !wasEarly.withLock({ $0 }), ContinuousClock.now < patience {
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                case .ended: wasEarly.withLock { $0 = true }
                case .planned: #expect(wasEarly.withLock { $0 })
                default: break
                }
            })
        let result = try await FakeWorker(bench.broker).during { try await run.run(bench.request()) }
        #expect(result.totals.catalogued == 60)
    }

    @Test("stopped by its task's cancellation, says so, and the next run carries on")
    func stopped() async throws {
        for number in 0..<8 { try bench.folder.file("archive/\(number).CR2") }
        let task = Task { try await bench.run(bench.request()) }
        for _ in 0..<10_000 {
            if (try? bench.ledger { try $0.states().values.count { $0 == .published } }) == 8 { break }
            try await Task.sleep(for: .milliseconds(5))
        }
        task.cancel()
        let stopped = try await task.value
        #expect(!stopped.isComplete && stopped.totals.open == 8)
        let events = Events()
        let result = try await FakeWorker(bench.broker).during {
            try await bench.run(bench.request(), events: events)
        }
        #expect(result.isComplete && result.totals.catalogued == 8)
        #expect(events.foundOpenJobs == 8)
        #expect(result.plan?.pending == 8 || (result.plan?.unchanged ?? 0) > 0)
    }

    @Test("sends again what vanishes on the way, with everything else finished")
    func vanishing() async throws {
        for number in 0..<9 { try bench.folder.file("archive/\(number).CR2") }
        let lost = Mutex(Set<JobID>())
        let worker = FakeWorker(bench.broker) { job in
            lost.withLock { $0.insert(job.id).inserted } ? nil : Make.completed()
        }
        let events = Events()
        let result = try await worker.during { try await bench.run(bench.request(), events: events) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 9, catalogued: 9))
        #expect(events.sentAgain >= 9)
    }

    @Test("sends again what was removed before it was read", .timeLimit(.minutes(3)))
    func removed() async throws {
        try bench.folder.file("archive/a.CR2")
        let lost = Mutex(false)
        let worker = FakeWorker(bench.broker) { _ in
            lost.withLock { wasLost in
                defer { wasLost = true }
                return wasLost ? Make.completed() : nil
            }
        }
        let shortened = ShorteningBroker(broker: bench.broker, topics: Topics.ofJobs)
        let result = try await worker.during { try await bench.run(bench.request(), on: shortened) }
        #expect(result.totals == JobCounts(accepted: 1, catalogued: 1))
    }

    @Test("gives up a job that vanishes every time")
    func hopeless() async throws {
        try bench.folder.file("archive/a.CR2")
        var settings = Bench.settings
        settings.maxSends = 3
        let (worker, used) = (FakeWorker(bench.broker) { _ in nil }, settings)
        let result = try await worker.during { try await bench.run(bench.request(), settings: used) }
        #expect(result.totals == JobCounts(accepted: 1, failed: 1))
        #expect(worker.log.jobs.count == 3)
        #expect(try bench.ledger { try $0.failureCounts().map(\.reason) } == [.internalError])
    }

    @Test("sends nothing again while a worker still has it")
    func patience() async throws {
        try bench.folder.file("archive/a.CR2")
        let consumer = try await bench.broker.consumer(
            group: FakeWorker.group(Topics.bulkJobs), topics: [Topics.bulkJobs], inFlight: 9)
        let events = Events()
        let task = Task { try await bench.run(bench.request(), events: events) }
        var delivery: [Delivery] = []
        while delivery.isEmpty { delivery = try await consumer.poll(limit: 9, wait: .milliseconds(100)) }
        try await Task.sleep(for: .milliseconds(400))
        #expect(events.sentAgain == 0)
        task.cancel()
        _ = try await task.value
        await consumer.close()
    }

    @Test("gives everything open to a fresh broker that replaced the one it knew")
    func lostCluster() async throws {
        for number in 0..<6 { try bench.folder.file("archive/\(number).CR2") }
        // Half of it is done on the first broker; the rest is sent, and lost with it.
        let half = FakeWorker(bench.broker) { job in
            "\(job.source.raw.file.path)" < "3" ? Make.completed() : nil
        }
        var slow = Bench.settings
        slow.quiet = .seconds(60)
        let settings = slow
        try await half.during {
            let task = Task { try await bench.run(bench.request(), settings: settings) }
            for _ in 0..<10_000 {
                if (try? bench.ledger { try $0.totals().catalogued }) == 3 { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            task.cancel()
            _ = try await task.value
        }
        let fresh = try await EmbeddedBroker.inMemory()
        try await fresh.create(Topics.onOneMachine)
        let worker = FakeWorker(fresh)
        let result = try await worker.during { try await bench.run(nil, on: fresh, settings: settings) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 6, catalogued: 6))
        #expect(worker.log.jobs.count == 3)
        #expect(try bench.ledger { try $0.audit() } == [])
    }

    @Test("passes over what is no manifest, and over strangers' manifests")
    func garbage() async throws {
        try bench.folder.file("archive/a.CR2")
        let producer = try await bench.broker.producer()
        let stranger = Job(batch: .random(), source: Make.source("stranger.CR2"), recipe: Make.recipe)
        _ = try await producer.send(
            [
                Record(key: [1], value: [0xFF, 1, 2]), Record(key: [2], value: nil),
                Record(key: [3], value: Make.manifest(stranger, Make.completed()).encoded()),
            ], to: Topics.manifests)
        let events = Events()
        let result = try await FakeWorker(bench.broker).during {
            try await bench.run(bench.request(), events: events)
        }
        #expect(result.totals == JobCounts(accepted: 1, catalogued: 1))
        #expect(events.all.count { if case .unreadableManifest = $0 { true } else { false } } == 2)
    }

    @Test("carries the trace context on every record, keyed by the source")
    func headers() async throws {
        try bench.folder.file("archive/a.CR2")
        let task = Task {
            try await bench.run(bench.request(Make.submission(lane: .interactive, traceparent: "00-aa-bb-01")))
        }
        let reader = try await bench.broker.reader(topic: Topics.interactiveJobs, from: [:])
        var found: [Delivery] = []
        while found.isEmpty { found = try await reader.poll(limit: 1, wait: .milliseconds(100)) }
        task.cancel()
        _ = try await task.value
        let job = try Job(record: found[0].record.value ?? [])
        #expect(found[0].record.key == job.source.fingerprint.bytes)
        #expect(found[0].record.header("traceparent") == Array("00-aa-bb-01".utf8))
    }

    @Test("can be watched by another reader while it writes")
    func watched() async throws {
        for number in 0..<200 { try bench.folder.file("archive/\(number).CR2") }
        _ = try await Ledger.open(library: bench.library)
        let hasLooked = Mutex(false)
        let watcher = Task {
            let reader = try LedgerStore(path: bench.ledgerPath, mode: .readOnly)
            var looks = 0
            while try reader.totals().catalogued < 200 {
                try reader.eachBatch { #expect($0.counts.isBalanced) }
                looks += 1
                hasLooked.withLock { $0 = true }
                try await Task.sleep(for: .milliseconds(2))
            }
            return looks
        }
        let patience = ContinuousClock.now + .seconds(60)
        while !hasLooked.withLock({ $0 }), ContinuousClock.now < patience {
            try await Task.sleep(for: .milliseconds(2))
        }
        _ = try await FakeWorker(bench.broker).during { try await bench.run(bench.request()) }
        #expect(try await watcher.value > 0)
    }

    @Test("a batch that is cancelled while it is planned ends, with what was done")
    func cancelled() async throws {
        for number in 0..<50 { try bench.folder.file("archive/\(number).CR2") }
        let submission = Make.submission()
        let ledger = try await Ledger.open(library: bench.library)
        let isFirst = Mutex(true)
        let run = CoordinatorRun(
            ledger: ledger, transport: bench.broker, library: bench.library, settings: Bench.settings,
            report: { event in
                guard case .entry = event,
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return }
                _ = try? await ledger.perform { try $0.cancel(submission.batch) }
            })
        let result = try await run.run(bench.request(submission))
        #expect(result.isComplete && result.plan == nil)
        #expect(result.totals.open == 0 && result.totals.cancelled == result.totals.accepted)
        #expect((1..<50).contains(result.totals.accepted))
    }
}
