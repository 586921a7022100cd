import Broker
import BrokerConformance
import Catalogue
import Clock
import Digest
import Foundation
import Jobs
import LibraryFixtures
import Manifests
import Records
import Storage
import Testing

@Suite("A cataloguer's progress", .timeLimit(.minutes(2))) struct ProgressTests {
    @Test("is visible while it works and while it waits, and missed when it hangs")
    func hangs() async throws {
        let fixture = try LibraryFixture()
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.local)
        let heartbeat = Heartbeat(limit: .seconds(1))
        let cataloguer = Cataloguer(
            transport: broker, library: fixture.libraryPath, roots: Roots([:]),
            settings: CatalogueSettings(maxWait: .milliseconds(20)), heartbeat: heartbeat)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            _ = try await cataloguer.run { _ in for await _ in released { return } }
        }
        // It waits for manifests.
        let start = ContinuousClock.now
        try await waitUntil("a second and a half") {
            #expect(heartbeat.overdue == nil)
            return ContinuousClock.now - start > .milliseconds(1500)
        }
        let manifest = try Manifest([try fixture.render(Shot("a", path: "IMG_1.CR2"))], finished: 1)
        try await broker.withProducer { producer in
            let record = Record(key: manifest.source.fingerprint.bytes, value: manifest.encoded())
            _ = try await producer.send([record], to: Topics.manifests)
        }
        try await waitUntil("the hanging merge") { heartbeat.overdue?.loop == "merge" }
        release.yield()
        try await waitUntil("progress") { heartbeat.overdue == nil }
        cataloguer.stop()
        release.finish()
        try await running.value
        try await Task.sleep(for: .milliseconds(1100))
        #expect(heartbeat.overdue == nil, "a cataloguer that ended is not overdue")
    }
}
