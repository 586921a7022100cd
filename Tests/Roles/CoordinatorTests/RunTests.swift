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
                // Holds up the walk until a job was rendered, which must not wait for the walk.
                case .entry:
                    while !hasEnded.withLock({ $0 }), ContinuousClock.now < deadline {
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                case .ended: hasEnded.withLock { $0 = true }
                case .planned: #expect(hasEnded.withLock { $0 })
                default: break
                }
            })
        let result = try await FakeWorker(fixture.broker).during { try await run.run(fixture.request()) }
        #expect(result.totals.catalogued == 60)
    }

    @Test("stopped by its task's cancellation says so, and the next run continues")
    func stopped() async throws {
        for number in 0..<8 { try fixture.folder.file("archive/\(number).CR2") }
        let task = Task { try await fixture.run(fixture.request()) }
        for _ in 0..<10_000 {
            if (try? jobStates(inLedger: fixture.ledgerPath).values.count { $0 == .published }) == 8 { break }
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

    @Test("sends lost jobs again")
    func lostJobs() async throws {
        for number in 0..<9 { try fixture.folder.file("archive/\(number).CR2") }
        let lost = Mutex(Set<JobID>())
        let worker = FakeWorker(fixture.broker) { job in
            lost.withLock { $0.insert(job.id).inserted } ? nil : Example.completed()
        }
        let events = RecordedEvents()
        let result = try await worker.during { try await fixture.run(fixture.request(), events: events) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 9, catalogued: 9))
        #expect(events.sentAgain >= 9)
    }

    @Test("sends jobs again that the topic removed before they were read", .timeLimit(.minutes(3)))
    func removed() async throws {
        try fixture.folder.file("archive/a.CR2")
        let lost = Mutex(false)
        let worker = FakeWorker(fixture.broker) { _ in
            lost.withLock { wasLost in
                defer { wasLost = true }
                return wasLost ? Example.completed() : nil
            }
        }
        let shortened = TruncatingTransport(broker: fixture.broker, topics: Topics.jobTopics)
        let result = try await worker.during { try await fixture.run(fixture.request(), on: shortened) }
        #expect(result.totals == JobCounts(accepted: 1, catalogued: 1))
    }

    @Test("fails a job that is lost every time")
    func alwaysLost() async throws {
        try fixture.folder.file("archive/a.CR2")
        var settings = CoordinatorFixture.settings
        settings.maxSends = 3
        let (worker, used) = (FakeWorker(fixture.broker) { _ in nil }, settings)
        let result = try await worker.during { try await fixture.run(fixture.request(), settings: used) }
        #expect(result.totals == JobCounts(accepted: 1, failed: 1))
        #expect(worker.log.jobs.count == 3)
        #expect(try fixture.ledger { try $0.reports.failureCounts().map(\.reason) } == [.internalError])
    }

    @Test("hands a job out again whose photo the library refused, under another key, and fails it after three refusals")
    func refused() async throws {
        for name in ["a.CR2", "b.CR2"] { try fixture.folder.file("archive/\(name)") }
        var worker = FakeWorker(fixture.broker)
        // The library takes the second photo of a.CR2, and none of b.CR2.
        worker.refusal = { job in
            job.round == 0 || "\(job.source.raw.file.path)" == "b.CR2" ? Example.refusal : nil
        }
        let (used, events) = (worker, RecordedEvents())
        let result = try await used.during { try await fixture.run(fixture.request(), events: events) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 2, catalogued: 1, failed: 1))
        #expect(
            used.log.jobs.map { "\($0.source.raw.file.path)" }.sorted() == [
                "a.CR2", "a.CR2", "b.CR2", "b.CR2", "b.CR2",
            ])
        #expect(events.refused.count { $0.1 == nil } == 1 && events.refused.count == 4)
        #expect(Set(used.log.keys).count == 5)
        var failures: [FailedJob] = []
        try fixture.ledger { try $0.reports.eachFailure { failures.append($0) } }
        #expect(failures.map(\.failure.reason) == [.libraryRefused])
        #expect(failures.first?.failure.message.contains(Example.refusal.message) == true)
        #expect(try fixture.ledger { try $0.reports.audit() } == [])
        // Running the same command again tries it again.
        let third = try await FakeWorker(fixture.broker).during { try await fixture.run(fixture.request()) }
        #expect(third.plan?.again == 1 && third.totals.catalogued == 2)
    }

    @Test("ends no job on a worker's word alone")
    func workersWord() async throws {
        try fixture.folder.file("archive/a.CR2")
        let task = Task { try await fixture.run(fixture.request()) }
        let reader = try await fixture.broker.reader(topic: Topics.bulkJobs, from: [:])
        var found: [Delivery] = []
        while found.isEmpty { found = try await reader.poll(limit: 1, wait: .milliseconds(100)) }
        let job = try Job(record: found[0].record.value ?? [])
        let producer = try await fixture.broker.producer()
        let manifest = Example.manifest(job, Example.completed())
        let sent = try await producer.send([Record(key: [], value: manifest.encoded())], to: Topics.manifests)
        // The cataloguer answers with a refusal: the ledger has read all there is then.
        let results = JobResults(
            results: [JobResult(of: manifest, refusal: Example.refusal)],
            cluster: try await fixture.broker.clusterID(),
            answered: [sent[0].partition.partition: sent[0].offset + 1], highestPrecedence: 0)
        _ = try await producer.send(results.records().map { Record(key: [], value: $0) }, to: Topics.results)
        while try fixture.ledger({ try $0.reports.refusedCount() }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try fixture.ledger { try $0.reports.totals() } == JobCounts(accepted: 1, open: 1))
        task.cancel()
        _ = try await task.value
    }

    @Test("does not send a job again while a worker has it")
    func jobInProgress() async throws {
        try fixture.folder.file("archive/a.CR2")
        let consumer = try await fixture.broker.consumer(
            group: FakeWorker.group(Topics.bulkJobs), topics: [Topics.bulkJobs], inFlight: 9)
        let events = RecordedEvents()
        let task = Task { try await fixture.run(fixture.request(), events: events) }
        var delivery: [Delivery] = []
        while delivery.isEmpty { delivery = try await consumer.poll(limit: 9, wait: .milliseconds(100)) }
        try await Task.sleep(for: .milliseconds(400))
        #expect(events.sentAgain == 0)
        task.cancel()
        _ = try await task.value
        await consumer.close()
    }

    @Test("sends all open jobs to a new broker that replaced the known one")
    func lostCluster() async throws {
        for number in 0..<6 { try fixture.folder.file("archive/\(number).CR2") }
        // Half of the jobs end on the first broker. The rest is sent and lost with it.
        let half = FakeWorker(fixture.broker) { job in
            "\(job.source.raw.file.path)" < "3" ? Example.completed() : nil
        }
        var slow = CoordinatorFixture.settings
        slow.quietPeriod = .seconds(60)
        let settings = slow
        try await half.during {
            let task = Task { try await fixture.run(fixture.request(), settings: settings) }
            for _ in 0..<10_000 {
                if (try? fixture.ledger { try $0.reports.totals().catalogued }) == 3 { break }
                try await Task.sleep(for: .milliseconds(5))
            }
            task.cancel()
            _ = try await task.value
        }
        let fresh = try await EmbeddedBroker.inMemory()
        try await fresh.create(Topics.local)
        let worker = FakeWorker(fresh)
        let result = try await worker.during { try await fixture.run(nil, on: fresh, settings: settings) }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 6, catalogued: 6))
        #expect(worker.log.jobs.count == 3)
        #expect(try fixture.ledger { try $0.reports.audit() } == [])
    }

    @Test("skips records that are not results, and results of unknown jobs; a worker's manifest ends nothing")
    func garbage() async throws {
        try fixture.folder.file("archive/a.CR2")
        let producer = try await fixture.broker.producer()
        let unknown = Job(batch: .random(), source: Example.source("unknown.CR2"), recipe: Example.recipe)
        _ = try await producer.send(
            [
                Record(key: [1], value: [0xFF, 1, 2]), Record(key: [2], value: nil),
            ]
                + JobResults(
                    results: [Example.result(unknown, Example.completed())], cluster: "elsewhere", answered: [0: 99],
                    highestPrecedence: 0
                ).records().map { Record(key: [3], value: $0) }, to: Topics.results)
        let events = RecordedEvents()
        let result = try await FakeWorker(fixture.broker).during {
            try await fixture.run(fixture.request(), events: events)
        }
        #expect(result.totals == JobCounts(accepted: 1, catalogued: 1))
        #expect(events.all.count { if case .unreadableResult = $0 { true } else { false } } == 2)
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
            let reader = try LedgerStore(path: fixture.ledgerPath, mode: .readOnly)
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
        let result = try await run.run(fixture.request(submission))
        #expect(result.isComplete && result.plan == nil)
        #expect(result.totals.open == 0 && result.totals.cancelled == result.totals.accepted)
        #expect((1..<50).contains(result.totals.accepted))
    }
}
