import Broker

extension BrokerConformance {
    static let windowCases = [
        ConformanceCase("no more records are in flight than the window allows") { broker in
            let topic = try await broker.topic()
            try await broker.send(200, to: topic)
            let consumer = try await broker.consumer(topic, inFlight: 10)
            var seen: Set<Int> = []
            var open = try await consumer.take(10)
            while true {
                seen.formUnion(open.map(\.number))
                try require(open.count <= 10, "\(open.count) records are in flight")
                try require(try await consumer.poll(limit: 5, wait: .zero).count, equals: 0, "records over the window")
                if seen.count == 200 { break }
                for delivery in open.prefix(3) { await consumer.finish(delivery.position) }
                open.removeFirst(min(3, open.count))
                open += try await consumer.take(min(10 - open.count, 200 - seen.count))
            }
            await consumer.close()
        },
        ConformanceCase("when a record is finished in a full window, a waiting poll gets the next one") { broker in
            let topic = try await broker.topic()
            try await broker.send(20, to: topic)
            let consumer = try await broker.consumer(topic, inFlight: 2)
            let open = try await consumer.take(2)
            async let polled = consumer.poll(limit: 5, wait: Fixture.patience)
            try await Task.sleep(for: .milliseconds(50))
            let start = ContinuousClock.now
            await consumer.finish(open[1].position)
            try require(try await polled.count, equals: 1, "records")
            try require(ContinuousClock.now - start < Fixture.atOnce, "it came \(ContinuousClock.now - start) late")
            await consumer.close()
        },
        ConformanceCase("only a limited number of finished records can wait behind an unfinished one") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(2000, to: topic)
            let consumer = try await broker.consumer(topic, inFlight: 4)
            let stuck = try await consumer.take(1)
            var others = 0
            while true {
                let found = try await consumer.poll(limit: 3, wait: .milliseconds(100))
                if found.isEmpty { break }
                await consumer.finish(found)
                others += found.count
            }
            try require((3..<1000).contains(others), "\(others) records were finished behind it")
            await consumer.finish(stuck)
            _ = try await consumer.take(1)
            await consumer.close()
        },
        ConformanceCase("a paused topic delivers nothing, others continue, and no record is lost") { broker in
            let first = try await broker.topic("first")
            let second = try await broker.topic("second")
            let consumer = try await broker.consumer(first, second)
            await consumer.pause(topic: first)
            try await broker.send(30, to: first)
            try await broker.send(30, to: second)
            let found = try await consumer.take(30)
            try require(Set(found.map(\.position.partition.topic)), equals: [second], "topics")
            try require(try await consumer.leftover().count, equals: 0, "records of the paused topic")
            await consumer.resume(topic: first)
            let rest = try await consumer.take(30)
            try require(Set(rest.map(\.number)), equals: Set(0..<30), "what came after")
            await consumer.close()
        },
        ConformanceCase("resuming wakes a waiting poll") { broker in
            let topic = try await broker.topic()
            try await broker.send(1, to: topic)
            let consumer = try await broker.consumer(topic)
            await consumer.pause(topic: topic)
            async let polled = consumer.poll(limit: 5, wait: Fixture.patience)
            try await Task.sleep(for: .milliseconds(50))
            let start = ContinuousClock.now
            await consumer.resume(topic: topic)
            try require(try await polled.count, equals: 1, "records")
            try require(ContinuousClock.now - start < Fixture.atOnce, "it came \(ContinuousClock.now - start) late")
            await consumer.close()
        },
        ConformanceCase("a pause survives a rebalance") { broker in
            let topic = try await broker.topic()
            let consumer = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([consumer], partitions: 4)
            await consumer.pause(topic: topic)
            let other = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([consumer, other], partitions: 4)
            await other.close()
            _ = try await broker.stableAssignment([consumer], partitions: 4)
            try await broker.send(10, to: topic)
            try require(try await consumer.leftover().count, equals: 0, "records of the paused topic")
            await consumer.resume(topic: topic)
            _ = try await consumer.take(10)
            await consumer.close()
        },
    ]
}
