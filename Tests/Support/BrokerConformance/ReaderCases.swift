import Broker

extension BrokerConformance {
    static let readerCases = [
        ConformanceCase("a reader begins at the given offsets, and at the oldest record in other partitions") {
            broker in
            let topic = try await broker.topic(partitions: 2)
            let sent = try await broker.send(100, to: topic)
            let ends = try await broker.transport.watermarks(topic: topic)
            let middle = (ends[0]?.upperBound ?? 0) / 2
            let reader = try await broker.transport.reader(topic: topic, from: [0: middle])
            let wanted = sent.filter { $0.partition.partition == 1 || $0.offset >= middle }
            let found = try await reader.take(wanted.count)
            try require(Set(found.map(\.position)), equals: Set(wanted), "positions")
            try require(try await reader.poll(limit: 10, wait: .milliseconds(100)).count, equals: 0, "more records")
            await reader.close()
        },
        ConformanceCase("a reader with an invalid offset begins at the oldest record") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(10, to: topic)
            for offset in [Int64(11), 1 << 40, -5] {
                let reader = try await broker.transport.reader(topic: topic, from: [0: offset])
                try require(try await reader.take(10).count, equals: 10, "records")
                await reader.close()
            }
            let reader = try await broker.transport.reader(topic: topic, from: [0: 10])
            try await broker.send(1, to: topic, from: 10)
            try require(try await reader.take(1).map(\.number), equals: [10], "the record after the last one")
            await reader.close()
        },
        ConformanceCase("readers see all records, regardless of the groups' offsets") { broker in
            let topic = try await broker.topic()
            try await broker.send(50, to: topic)
            let consumer = try await broker.consumer(topic)
            await consumer.finish(try await consumer.take(50))
            await consumer.close()
            let one = try await broker.transport.reader(topic: topic, from: [:])
            let two = try await broker.transport.reader(topic: topic, from: [:])
            try require(Set(try await one.take(50).map(\.number)), equals: Set(0..<50), "what one read")
            try require(Set(try await two.take(50).map(\.number)), equals: Set(0..<50), "what two read")
            await one.close()
            await two.close()
        },
        ConformanceCase("a waiting reader gets a record as soon as it is sent") { broker in
            let topic = try await broker.topic()
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            _ = try await reader.poll(limit: 1, wait: .milliseconds(100))
            async let polled = reader.poll(limit: 1, wait: Fixture.patience)
            try await Task.sleep(for: .milliseconds(50))
            let start = ContinuousClock.now
            try await broker.send(1, to: topic)
            try require(try await polled.count, equals: 1, "records")
            try require(ContinuousClock.now - start < Fixture.atOnce, "it came \(ContinuousClock.now - start) late")
            await reader.close()
        },
        ConformanceCase("a reader goes on after the last record of an earlier one, whose topic is known again") {
            broker in
            let topic = try await broker.topic(partitions: 2)
            try await broker.send(40, to: topic)
            var position = StoredPosition(cluster: try await broker.transport.clusterID())
            let first = try await broker.transport.reader(topic: topic, continuing: position)
            for delivery in try await first.take(40) {
                let partition = delivery.position.partition.partition
                position.next[partition] = delivery.position.offset + 1
                position.known[partition] = position.known[partition] ?? KnownRecord(delivery)
            }
            await first.close()
            try require(try await broker.transport.changes(of: topic, since: position), equals: [:], "changes")
            try await broker.send(20, to: topic, from: 40)
            let second = try await broker.transport.reader(topic: topic, continuing: position)
            try require(Set(try await second.take(20).map(\.number)), equals: Set(40..<60), "what it read")
            await second.close()
        },
        ConformanceCase("a topic without the records that were read of it is another one", needs: [.forgetsTopics]) {
            broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(10, to: topic)
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            let third = KnownRecord(try await reader.take(3)[2])
            await reader.close()
            let earlier = KnownRecord(offset: 2, timestampMilliseconds: third.timestampMilliseconds - 1)
            let later = KnownRecord(offset: 10, timestampMilliseconds: third.timestampMilliseconds)
            for (record, finding) in [(third, KnownRecord.Finding.same), (earlier, .other), (later, .other)] {
                try require(
                    try await broker.transport.find([0: record], in: topic), equals: [0: finding], "\(record)")
            }
            var position = StoredPosition(cluster: "another cluster", next: [0: 3])
            do {
                _ = try await broker.transport.reader(topic: topic, continuing: position)
                throw ConformanceFailure(description: "a position of another cluster was taken")
            } catch BrokerError.replaced {}
            position = StoredPosition(cluster: try await broker.transport.clusterID(), next: [0: 11])
            try require(
                try await broker.transport.changes(of: topic, since: position), equals: [0: .other], "a shorter topic")
        },
        ConformanceCase("large records of many partitions are all found again", needs: [.forgetsTopics]) { broker in
            let topic = try await broker.topic(partitions: 16)
            let producer = try await broker.transport.producer()
            let value = String(repeating: "large", count: 300)
            // Sent one by one, so that the broker keeps each as a separate batch.
            for number in 0..<160 { _ = try await producer.send([broker.record("key \(number)", value)], to: topic) }
            await producer.close()
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            var known: [Int32: KnownRecord] = [:]
            for delivery in try await reader.take(160) {
                let partition = delivery.position.partition.partition
                known[partition] = known[partition] ?? KnownRecord(delivery)
            }
            await reader.close()
            try require(known.count > 8, "160 keys are in \(known.count) partitions")
            try require(
                try await broker.transport.find(known, in: topic), equals: known.mapValues { _ in .same }, "findings")
        },
        ConformanceCase("watermarks count the written records") { broker in
            let topic = try await broker.topic(partitions: 3)
            try require(
                try await broker.transport.watermarks(topic: topic), equals: [0: 0..<0, 1: 0..<0, 2: 0..<0], "at first")
            let sent = try await broker.send(90, to: topic)
            let counts = Dictionary(grouping: sent, by: \.partition.partition).mapValues { 0..<Int64($0.count) }
            let found = try await broker.transport.watermarks(topic: topic).filter { !$0.value.isEmpty }
            try require(found, equals: counts, "watermarks")
        },
        ConformanceCase("the cluster's id does not change") { broker in
            let id = try await broker.transport.clusterID()
            try require(!id.isEmpty, "the id is empty")
            try require(try await broker.transport.clusterID(), equals: id, "the id")
        },
    ]
}
