import Broker
import Foundation
import KafkaBroker

/// A cluster's topics, from another program's view.
extension TestCluster {
    func send(_ records: [Record], to topic: String) async throws {
        let transport = try transport()
        let producer = try await transport.producer()
        _ = try await producer.send(records, to: topic)
        await producer.close()
        await transport.close()
    }

    /// Waits up to a minute for at least this number of records in the topic.
    func records(of topic: String, atLeast count: Int) async throws -> [Record] {
        let end = Date().addingTimeInterval(60)
        while true {
            let found = try await records(of: topic)
            if found.count >= count || Date() > end { return found.map(\.record) }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Commits records of jobs on behalf of the workers, without doing the jobs.
    func passOver(_ count: Int, of topic: String) async throws {
        let transport = try transport()
        let consumer = try await transport.consumer(group: "\(topic).workers", topics: [topic], inFlight: count)
        let end = Date().addingTimeInterval(60)
        var passed = 0
        while passed < count, Date() < end {
            for delivery in try await consumer.poll(limit: count - passed, wait: .milliseconds(200)) {
                await consumer.finish(delivery.position)
                passed += 1
            }
        }
        try await consumer.commit()
        await consumer.close()
        await transport.close()
    }

    /// Waits until the workers have finished all records of the topic.
    func waitUntilFinished(_ topic: String) async throws -> Bool {
        let transport = try transport()
        let end = Date().addingTimeInterval(60)
        var isFinished = false
        while !isFinished, Date() < end {
            let committed = try await transport.committed(group: "\(topic).workers", topic: topic)
            isFinished = try await transport.watermarks(topic: topic).allSatisfy {
                committed[$0.key] ?? $0.value.lowerBound >= $0.value.upperBound
            }
            if !isFinished { try await Task.sleep(for: .milliseconds(10)) }
        }
        await transport.close()
        return isFinished
    }

    /// All current records of the topic.
    func records(of topic: String) async throws -> [Delivery] {
        let transport = try transport()
        var left = try await transport.watermarks(topic: topic).filter { !$0.value.isEmpty }.mapValues(\.upperBound)
        let reader = try await transport.reader(topic: topic, from: [:])
        var all: [Delivery] = []
        let deadline = Date().addingTimeInterval(60)
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
