import Broker
import ExternalTools
import Jobs
import Manifests
import Testing

@testable import Coordinator

@Suite(.needs(.mounting)) struct FullBrokerTests {
    /// Earlier, it silently waited for the broker.
    @Test(
        "A run whose broker has no space ends with a message, and the next one does everything",
        .timeLimit(.minutes(5)))
    func full() async throws {
        let fixture = try await CoordinatorFixture()
        for number in 0..<10 { try fixture.folder.file("archive/\(number).CR2") }
        let disk = try SmallDisk(bytes: 4 << 20)
        let broker = try await EmbeddedBroker.open(path: disk.path + "/broker.sqlite")
        try await broker.create(Topics.local)
        try disk.fill()
        do {
            _ = try await fixture.run(fixture.request(), on: broker)
            Issue.record("jobs were sent to a broker on a full disk")
        } catch let error as BrokerError {
            #expect("\(error)".contains("full") && "\(error)".contains("Free some space"), "\(error)")
        }
        disk.free()
        let worker = FakeWorker(broker)
        let next = try await worker.during { try await fixture.run(fixture.request(), on: broker) }
        #expect(next.isComplete && next.totals == JobCounts(accepted: 10, catalogued: 10))
        await broker.close()
    }
}
