import Broker
import BrokerConformance
import Jobs
import Manifests
import Records
import Testing

@testable import Coordinator

@Suite("A coordinator that may not read the dead letters")
struct MissingRightTests {
    private let fixture: CoordinatorFixture
    private let transport: GuardedTransport

    init() async throws {
        fixture = try await CoordinatorFixture()
        try await fixture.broker.create(Topics.cluster(partitions: 1))
        transport = GuardedTransport(fixture.broker, withoutReading: Topics.deadLetter)
    }

    private func service(_ events: RecordedEvents) async throws -> CoordinatorService {
        let roots = RootMap([RegisteredRoot(name: Example.root, path: Array(fixture.archive.utf8))])
        return CoordinatorService(
            ledger: try await Ledger.open(library: fixture.library), transport: transport, library: fixture.library,
            roots: roots, settings: CoordinatorFixture.settings, topics: [], report: { events.add($0) })
    }

    /// The messages about the broker.
    private func said(_ events: RecordedEvents) -> [String] {
        events.all.compactMap { if case .brokerUnavailable(let error, _) = $0 { "\(error)" } else { nil } }
    }

    @Test("reports this at its start, still sends jobs, and sends the letters that a kill left once it may")
    func afterKill() async throws {
        try fixture.folder.file("archive/a.CR2")
        // A former run was killed before it knew that its letter is durable.
        let job = Job(batch: .random(), source: Example.source("killed.CR2"), recipe: Example.recipe)
        let letter = DeadLetter(
            topic: Topics.bulkJobs, partition: 0, offset: 0, key: [], value: job.encoded(),
            failure: Failure(.libraryRefused, "It was refused."), attempts: 1, worker: DeadLetter.ledger,
            parkedMilliseconds: 1)
        let ledger = try await Ledger.open(library: fixture.library)
        try await ledger.perform {
            try $0.letters.insert(key: [], value: letter.encoded(), traceparent: nil)
            try $0.letters.noteSending(through: 1, after: 0)
        }
        let other = try await fixture.broker.producer()
        _ = try await other.send([Record(key: [], value: [1])], to: Topics.deadLetter)

        let events = RecordedEvents()
        let service = try await service(events)
        let running = Task { try await service.run() }
        let source = ConversionOrder.Location(root: Example.root, path: nil)
        let order = Control.submit(
            ConversionOrder(sources: [source], recipe: Example.recipe, submittedMilliseconds: 1))
        _ = try await other.send([Record(key: [], value: order.encoded())], to: Topics.control)
        try await FakeWorker(fixture.broker).during {
            try await waitUntil("the job is catalogued") {
                try await ledger.perform { try $0.reports.totals().catalogued } == 1
            }
        }
        #expect(said(events).contains { $0.contains(Topics.deadLetter) })
        transport.allow()
        try await waitUntil("the letter is sent") { try await ledger.perform { try $0.letters.isEmpty } }
        #expect(try await fixture.broker.watermarks(topic: Topics.deadLetter)[0]?.upperBound == 2)
        running.cancel()
        _ = try? await running.value
    }
}
