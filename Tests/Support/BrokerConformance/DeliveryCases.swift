import Broker

extension BrokerConformance {
    static let deliveryCases = [
        ConformanceCase("a new group begins at the oldest record, and an existing one at its committed offsets") {
            broker in
            let topic = try await broker.topic()
            try await broker.send(100, to: topic)
            let first = try await broker.consumer(topic)
            let taken = try await first.take(40)
            await first.finish(taken)
            try await first.commit()
            await first.close()
            let second = try await broker.consumer(topic)
            let rest = try await second.take(60)
            try require(Set((taken + rest).map(\.number)), equals: Set(0..<100), "what both were given")
            await second.close()
            let other = try await broker.consumer(topic, group: "other")
            _ = try await other.take(100)
            await other.close()
        },
        ConformanceCase("a record that was delivered but not finished is delivered again") { broker in
            let topic = try await broker.topic()
            try await broker.send(20, to: topic)
            let first = try await broker.consumer(topic)
            _ = try await first.take(20)
            await first.close()
            let second = try await broker.consumer(topic)
            try require(Set(try await second.take(20).map(\.number)), equals: Set(0..<20), "what came again")
            await second.close()
        },
        ConformanceCase("only the contiguous finished prefix is committed") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(10, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(10)
            // The offset that finishes, and the offset that may then be committed.
            for (offset, prefix) in [(3, 0), (1, 0), (0, 2), (9, 2), (2, 4), (4, 5), (3, 5)] {
                await consumer.finish(found[offset].position)
                try await consumer.commit()
                let committed = try await broker.committed(topic)[0] ?? 0
                try require(committed, equals: Int64(prefix), "committed after \(offset) was finished")
            }
            await consumer.close()
            let next = try await broker.consumer(topic)
            try require(try await next.take(5).map(\.number), equals: Array(5..<10), "the rest")
            await next.close()
        },
        ConformanceCase("closing a consumer commits its finished records") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(10, to: topic)
            let consumer = try await broker.consumer(topic)
            await consumer.finish(try await consumer.take(10).prefix(7))
            await consumer.close()
            try require(try await broker.committed(topic), equals: [0: 7], "committed")
        },
        ConformanceCase("finishing without a commit commits nothing") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(3, to: topic)
            let consumer = try await broker.consumer(topic)
            await consumer.finish(try await consumer.take(3))
            try require(try await broker.committed(topic)[0] ?? 0, equals: 0, "committed")
            await consumer.close()
        },
        ConformanceCase("finishing a record twice, or before its delivery, changes nothing") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(5, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(3)
            for _ in 0..<3 { await consumer.finish(found[0].position) }
            await consumer.finish(Position(partition: found[0].position.partition, offset: 4))
            await consumer.finish(Position(partition: TopicPartition(topic: "other", partition: 0), offset: 0))
            await consumer.finish(Position(partition: TopicPartition(topic: topic, partition: 77), offset: -1))
            let durable = try await consumer.commit()
            try require(durable, equals: [TopicPartition(topic: topic, partition: 0): 1], "what the commit answers")
            try require(try await broker.committed(topic), equals: [0: 1], "committed")
            try require(try await consumer.take(2).map(\.number), equals: [3, 4], "the rest")
            await consumer.close()
        },
        ConformanceCase("a waiting poll returns as soon as a record is sent") { broker in
            let topic = try await broker.topic()
            let consumer = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([consumer], partitions: 4)
            for number in 0..<5 {
                async let polled = consumer.poll(limit: 1, wait: Fixture.patience)
                try await Task.sleep(for: .milliseconds(50))
                try await broker.send(1, to: topic, from: number)
                let sent = ContinuousClock.now
                try require(try await polled.map(\.number), equals: [number], "what was polled")
                try require(
                    ContinuousClock.now - sent < Fixture.atOnce, "it came \(ContinuousClock.now - sent) late")
            }
            await consumer.close()
        },
        ConformanceCase("a poll without records lasts for the given time") { broker in
            let topic = try await broker.topic()
            let consumer = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([consumer], partitions: 4)
            let start = ContinuousClock.now
            try require(try await consumer.poll(limit: 1, wait: .milliseconds(300)).count, equals: 0, "records")
            let waited = ContinuousClock.now - start
            try require(waited > .milliseconds(290) && waited < Fixture.atOnce, "the poll lasted \(waited)")
            await consumer.close()
        },
        ConformanceCase("cancelling a task ends its poll") { broker in
            let topic = try await broker.topic()
            let consumer = try await broker.consumer(topic)
            let poll = Task { try? await consumer.poll(limit: 1, wait: Fixture.patience) }
            try await Task.sleep(for: .milliseconds(100))
            let start = ContinuousClock.now
            poll.cancel()
            _ = await poll.value
            try require(ContinuousClock.now - start < Fixture.atOnce, "it lasted \(ContinuousClock.now - start)")
            await consumer.close()
        },
        ConformanceCase("a record is removed only after every group has finished it", needs: [.trims]) { broker in
            let topic = try await broker.topic(partitions: 1, retention: .untilConsumed)
            try await broker.send(1000, to: topic)
            let slow = try await broker.consumer(topic, group: "slow")
            // This group has not committed anything yet when the other one commits. It must still get all records.
            let fast = try await broker.consumer(topic)
            await slow.finish(try await slow.take(300))
            try await slow.commit()
            await fast.finish(try await fast.take(1000))
            try await fast.commit()
            try require(try await broker.transport.watermarks(topic: topic), equals: [0: 300..<1000], "watermarks")
            await slow.finish(try await slow.take(700))
            try await slow.commit()
            try require(try await broker.transport.watermarks(topic: topic), equals: [0: 1000..<1000], "watermarks")
            try await broker.send(5, to: topic, from: 1000)
            try require(try await fast.take(5).map(\.position.offset), equals: Array(1000..<1005), "offsets go on")
            await fast.close()
            await slow.close()
        },
    ]
}
