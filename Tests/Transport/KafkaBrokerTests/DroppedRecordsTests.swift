import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

/// The mock cluster keeps only 5 MiB of a partition. This imitates a topic whose retention drops records before a slow
/// reader gets them.
@Suite(.serialized) struct DroppedRecordsTests {
    /// A topic of one partition that has dropped its first records.
    private func overfull() async throws -> (MockTransport, Range<Int64>) {
        let transport = try MockTransport(try MockCluster(brokers: 1))
        try await transport.create([Topic(name: "orders", partitions: 1, retention: .untilConsumed)])
        let value = [UInt8](repeating: 7, count: 60_000)
        try await transport.withProducer { producer in
            for _ in 0..<200 { _ = try await producer.send([Record(key: [1], value: value)], to: "orders") }
        }
        let range = try #require(try await transport.watermarks(topic: "orders")[0])
        #expect(range.lowerBound > 0)
        return (transport, range)
    }

    @Test("A reader whose next record was dropped continues at the oldest remaining record")
    func dropped() async throws {
        let (transport, range) = try await overfull()
        let first = try await transport.withReader(topic: "orders", from: [0: 0]) { reader in
            try await reader.poll(limit: 1, wait: .seconds(20)).first
        }
        #expect(first?.position.offset == range.lowerBound)
        await transport.close()
    }

    @Test("A member of a group without committed offsets begins at the oldest remaining record")
    func member() async throws {
        let (transport, range) = try await overfull()
        let member = try await transport.consumer(group: "g", topics: ["orders"], inFlight: 10)
        let first = try await member.poll(limit: 1, wait: .seconds(60)).first
        #expect(first?.position.offset == range.lowerBound)
        let position = try #require(first?.position)
        await member.finish(position)
        #expect(try await member.commit()[position.partition] == range.lowerBound + 1)
        await transport.close()
    }
}
