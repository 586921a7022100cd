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

/// Jobs that were lost, refused, or answered twice or by others.
@Suite("A run")
struct JobsSentAgainTests {
    let fixture: CoordinatorFixture

    init() async throws { fixture = try await CoordinatorFixture() }

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
        #expect(try await fixture.letters().map(\.failure.reason) == [.internalError])
    }

    @Test("sends a job again whose photo the library refused, under another key, and fails it after three refusals")
    func refused() async throws {
        for name in ["a.CR2", "b.CR2"] { try fixture.folder.file("archive/\(name)") }
        var worker = FakeWorker(fixture.broker)
        // The library accepts the second photo of a.CR2, and none of b.CR2.
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
        let letter = try #require(try await fixture.letters().first)
        #expect(letter.failure == failures[0].failure && letter.topic == Topics.bulkJobs)
        #expect(try Job(record: letter.value ?? []).id == failures[0].job)
        #expect(failures.first?.failure.message.contains(Example.refusal.message) == true)
        #expect(try fixture.ledger { try $0.reports.audit() } == [])
        // Running the same command again retries it.
        let third = try await FakeWorker(fixture.broker).during { try await fixture.run(fixture.request()) }
        #expect(third.plan?.again == 1 && third.totals.catalogued == 2)
    }

    @Test("ends no job on a worker's report alone")
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
        // The cataloguer answers with a refusal: the ledger has then read everything.
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

    @Test("skips records that are not results, and results of unknown jobs; a worker's manifest ends no job")
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
}
