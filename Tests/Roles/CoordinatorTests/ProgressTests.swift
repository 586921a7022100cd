import Broker
import BrokerConformance
import Clock
import Jobs
import Manifests
import Records
import Testing

@testable import Coordinator

@Suite("A coordinator's progress", .timeLimit(.minutes(2))) struct ProgressTests {
    @Test("is visible for each part while it waits, and missed when one hangs")
    func hangs() async throws {
        let fixture = try await CoordinatorFixture()
        let topics = Topics.cluster(partitions: 1)
        try await fixture.broker.create(topics)
        let heartbeat = Heartbeat(limit: .seconds(2))
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let service = CoordinatorService(
            ledger: try await Ledger.open(library: fixture.library), transport: fixture.broker,
            library: fixture.library, roots: RootMap(), settings: CoordinatorFixture.settings, topics: topics,
            heartbeat: heartbeat
        ) { event in
            // Like a log that waits for its reader.
            if case .controlled = event { for await _ in released { return } }
        }
        let running = Task { try await service.run() }
        let start = ContinuousClock.now
        try await waitUntil("two and a half seconds") {
            #expect(heartbeat.overdue == nil)
            return ContinuousClock.now - start > .milliseconds(2500)
        }
        try await fixture.broker.withProducer { producer in
            let record = Record(key: [1], value: Control.pause(nil).encoded())
            _ = try await producer.send([record], to: Topics.control)
        }
        try await waitUntil("the hanging part") { heartbeat.overdue?.loop == "orders" }
        release.yield()
        try await waitUntil("progress") { heartbeat.overdue == nil }
        release.finish()
        running.cancel()
        try await running.value
    }
}
