import Broker
import BrokerConformance
import Glibc
import KafkaBroker
import MockKafka
import Testing

/// A process that runs for months must not accumulate descriptors.
@Suite(.serialized) struct DescriptorTests {
    @Test("The number of descriptors does not grow with the number of requests")
    func questions() async throws {
        let cluster = try MockCluster(brokers: 3)
        let transport = try MockTransport(cluster)
        try await transport.create([Topic(name: "jobs", partitions: 4, retention: .untilConsumed)])
        for _ in 0..<3 { try await ask(transport) }
        // Connections are opened on demand. Each of the few clients can have one to each broker, with both ends in this
        // process. A replaced client is destroyed soon, on its own thread.
        let most = descriptors() + 60
        for _ in 0..<25 { try await ask(transport) }
        let deadline = ContinuousClock.now + .seconds(120)
        while descriptors() > most, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        #expect(descriptors() <= most)
        await transport.close()
    }

    /// Sends a coordinator's requests, for more groups than there are cached clients.
    private func ask(_ transport: any Transport) async throws {
        _ = try await transport.clusterID()
        _ = try await transport.watermarks(topic: "jobs")
        for number in 0..<10 { _ = try await transport.committed(group: "group-\(number)", topic: "jobs") }
    }

    private func descriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        return count
    }
}
