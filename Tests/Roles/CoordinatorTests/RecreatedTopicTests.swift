import Broker
import BrokerConformance
import Jobs
import Manifests
import Records
import Testing

@testable import Coordinator

@Suite("A topic that is deleted and created again under a coordinator")
struct RecreatedTopicTests {
    private let fixture: CoordinatorFixture
    private let topics = Topics.cluster(partitions: 1)

    init() async throws {
        fixture = try await CoordinatorFixture()
        try await fixture.broker.create(topics)
    }

    private func transport(recreating name: String) async throws -> RecreatedTopicTransport {
        let topic = try #require(topics.first { $0.name == name })
        return try await RecreatedTopicTransport(fixture.broker, topic)
    }

    @Test("takes results with it: their jobs are sent again, and the new topic is read from its beginning")
    func results() async throws {
        for name in ["a", "b"] { try fixture.folder.file("archive/\(name).CR2") }
        let transport = try await transport(recreating: Topics.results)
        let ledger = try await Ledger.open(library: fixture.library)
        let running = Task { try await fixture.run(fixture.request(), on: transport) }
        let first = FakeWorker(transport) { "\($0.source.raw.file.path)" == "a.CR2" ? Example.completed() : nil }
        try await first.during {
            try await waitUntil("a job is catalogued and the other one rendered") {
                let open = try await ledger.perform { try $0.reports.totals().open }
                return open == 1 && first.log.jobs.count == 2
            }
        }
        // The manifest of the other job is answered, and the answer is lost with the topic.
        let lost = try #require(first.log.jobs.first { "\($0.source.raw.file.path)" == "b.CR2" })
        let producer = try await transport.producer()
        let manifest = Example.manifest(lost, Example.completed())
        _ = try await producer.send([Record(key: [], value: manifest.encoded())], to: Topics.manifests)
        transport.recreate()
        let second = FakeWorker(transport)
        let result = try await second.during { try await running.value }
        #expect(result.isComplete && result.totals == JobCounts(accepted: 2, catalogued: 2))
        #expect(second.log.jobs.map(\.id) == [lost.id])
        #expect(try fixture.ledger { try $0.offsets.results() } == [0: 1])
        #expect(try fixture.ledger { try $0.reports.audit() } == [])
    }

    @Test("receives the state of every batch, root and of the coordinator again")
    func status() async throws {
        try fixture.folder.file("archive/a.CR2")
        let transport = try await transport(recreating: Topics.status)
        let ledger = try await Ledger.open(library: fixture.library)
        let roots = RootMap([RegisteredRoot(name: Example.root, path: Array(fixture.archive.utf8))])
        let service = CoordinatorService(
            ledger: ledger, transport: transport, library: fixture.library, roots: roots,
            settings: CoordinatorFixture.settings, topics: [], report: { _ in })
        let running = Task { try await service.run() }
        let orders = [Example.recipe, Example.otherRecipe].map { recipe in
            ConversionOrder(
                sources: [.init(root: Example.root, path: nil)], recipe: recipe, submittedMilliseconds: 1)
        }
        let expected: Set<[UInt8]> = [
            StatusSubject.coordinator.key, StatusSubject.root(Example.root).key,
            StatusSubject.batch(orders[0].batch).key,
        ]
        try await submit(orders[0], to: transport)
        try await waitUntil("all is published") { try await keys(in: transport).isSuperset(of: expected) }
        transport.recreate()
        #expect(try await keys(in: transport).isEmpty)
        // The change makes the coordinator write, and so notice.
        try await submit(orders[1], to: transport)
        try await waitUntil("all is published again") { try await keys(in: transport).isSuperset(of: expected) }
        running.cancel()
        _ = try? await running.value
    }

    private func submit(_ order: ConversionOrder, to transport: any Transport) async throws {
        let producer = try await transport.producer()
        _ = try await producer.send([Record(key: [], value: Control.submit(order).encoded())], to: Topics.control)
    }

    /// The keys of all records of the status topic.
    private func keys(in transport: any Transport) async throws -> Set<[UInt8]> {
        let count = try await transport.watermarks(topic: Topics.status)[0]?.upperBound ?? 0
        return try await transport.withReader(topic: Topics.status, from: [:]) { reader in
            var keys: [[UInt8]] = []
            while keys.count < count {
                keys += try await reader.poll(limit: 100, wait: .seconds(1)).map(\.record.key)
            }
            return Set(keys)
        }
    }
}
