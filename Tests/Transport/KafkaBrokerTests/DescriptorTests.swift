import Broker
import BrokerConformance
import Glibc
import KafkaBroker
import MockKafka
import Testing

/// What a process that runs for months may not gather.
@Suite(.serialized) struct DescriptorTests {
    @Test("However often a cluster is asked, the descriptors stay those of a few clients")
    func questions() async throws {
        let cluster = try MockCluster(brokers: 3)
        let transport = try MockTransport(cluster)
        try await transport.create([Topic(name: "jobs", partitions: 4, retention: .untilConsumed)])
        for _ in 0..<3 { try await ask(transport) }
        // Connections are opened when they are needed: each of the few clients may come to have one to each broker, both
        // ends of it here. A client that was replaced is destroyed on a thread of its own, soon.
        let most = descriptors() + 60
        for _ in 0..<25 { try await ask(transport) }
        let deadline = ContinuousClock.now + .seconds(120)
        while descriptors() > most, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(50)) }
        #expect(descriptors() <= most)
        await transport.close()
    }

    /// What a coordinator asks, and more groups than clients are kept for.
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
