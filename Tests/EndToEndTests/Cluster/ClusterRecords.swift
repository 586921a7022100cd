import Broker
import Foundation
import KafkaBroker

/// A cluster's topics as another program sees them.
extension ClusterPlace {
    func send(_ records: [Record], to topic: String) async throws {
        let transport = try transport()
        let producer = try await transport.producer()
        _ = try await producer.send(records, to: topic)
        await producer.close()
        await transport.close()
    }

    /// The records of bulk jobs, when there are so many.
    func sentJobs(_ count: Int) async throws -> [Record] {
        for _ in 0..<100 {
            let sent = try await records(of: Topics.bulkJobs)
            if sent.count >= count { return sent.map(\.record) }
            try await Task.sleep(for: .milliseconds(100))
        }
        return []
    }

    /// All that is in the topic now.
    func records(of topic: String) async throws -> [Delivery] {
        let transport = try transport()
        var left = try await transport.watermarks(topic: topic).filter { !$0.value.isEmpty }.mapValues(\.upperBound)
        let reader = try await transport.reader(topic: topic, from: [:])
        var all: [Delivery] = []
        let deadline = Date().addingTimeInterval(20)
        while !left.isEmpty, Date() < deadline {
            for delivery in try await reader.poll(limit: 1000, wait: .milliseconds(100)) {
                all.append(delivery)
                let partition = delivery.position.partition.partition
                if delivery.position.offset + 1 >= left[partition] ?? .max { left[partition] = nil }
            }
        }
        await reader.close()
        await transport.close()
        return all
    }
}
