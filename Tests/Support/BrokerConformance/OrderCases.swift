import Broker

extension BrokerConformance {
    static let orderCases = [
        ConformanceCase("records with the same key share a partition and keep their order") { broker in
            let topic = try await broker.topic()
            let sent = try await broker.send(500, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(500)
            for (key, deliveries) in Dictionary(grouping: found, by: \.keyText) {
                try require(deliveries.map(\.number) == deliveries.map(\.number).sorted(), "\(key) lost its order")
                try require(Set(deliveries.map(\.position.partition)).count, equals: 1, "partitions of \(key)")
            }
            try require(Set(found.map(\.position.partition)).count > 1, "16 keys all have one partition")
            for delivery in found {
                try require(delivery.position, equals: sent[delivery.number], "position of \(delivery.text)")
            }
            await consumer.close()
        },
        ConformanceCase("a key always gets the same partition") { broker in
            let topic = try await broker.topic()
            let first = try await broker.send(16, to: topic)
            let second = try await broker.send(16, to: topic)
            try require(second.map(\.partition), equals: first.map(\.partition), "partitions")
        },
        ConformanceCase("within one poll, the offsets of a partition ascend") { broker in
            let topic = try await broker.topic(partitions: 2)
            try await broker.send(200, to: topic)
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            for (partition, found) in Dictionary(grouping: try await reader.take(200), by: \.position.partition) {
                try require(
                    found.map(\.position.offset), equals: (0..<found.count).map(Int64.init), "\(partition)")
            }
            await reader.close()
        },
        ConformanceCase("concurrent producers lose and repeat no record, and each keeps its order") { broker in
            let topic = try await broker.topic()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in 0..<16 {
                    group.addTask {
                        let producer = try await broker.transport.producer()
                        for number in 0..<20 {
                            let records = (0..<5).map { broker.record("\(sender)", "\(number * 5 + $0)") }
                            _ = try await producer.send(records, to: topic)
                        }
                        await producer.close()
                    }
                }
                try await group.waitForAll()
            }
            let consumer = try await broker.consumer(topic)
            for (sender, found) in Dictionary(grouping: try await consumer.take(1600), by: \.keyText) {
                try require(found.map(\.number), equals: Array(0..<100), "what \(sender) sent")
            }
            try require(try await consumer.leftover().count, equals: 0, "records too many")
            await consumer.close()
        },
    ]
}
