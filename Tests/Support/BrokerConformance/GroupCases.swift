import Broker
import SeededRandom

extension BrokerConformance {
    static let groupCases = [
        ConformanceCase("members share the partitions, and each partition has one member") { broker in
            let topic = try await broker.topic(partitions: 4)
            let members = [
                try await broker.consumer(topic), try await broker.consumer(topic), try await broker.consumer(topic),
            ]
            let assignment = try await broker.stableAssignment(members, partitions: 4)
            try require(assignment.map(\.count).sorted(), equals: [1, 1, 2], "partitions of each")
            await members[1].close()
            let after = try await broker.stableAssignment([members[0], members[2]], partitions: 4)
            try require(after.map(\.count), equals: [2, 2], "partitions of each after one left")
            for member in members { await member.close() }
        },
        ConformanceCase("no record is lost while members join and leave") { broker in
            let topic = try await broker.topic(partitions: 8)
            try await broker.send(400, to: topic)
            var seen: Set<Int> = []
            var members = [try await broker.consumer(topic, inFlight: 20)]
            let deadline = ContinuousClock.now + Fixture.patience * 2
            var random = SeededGenerator()
            // New records, and rounds without records, since the group last changed. After enough of either, it changes
            // again.
            var (news, quiet) = (0, 0)
            while seen.count < 400 {
                try require(
                    ContinuousClock.now < deadline, "\(400 - seen.count) records never came, seed \(random.seed)")
                var assigned = 0
                quiet += 1
                for member in members {
                    let found = try await member.poll(limit: 7, wait: .milliseconds(20))
                    if !found.isEmpty { quiet = 0 }
                    // Leave some records unfinished. Another member has to get them.
                    for delivery in found where Int.random(in: 0..<6, using: &random) > 0 {
                        news += seen.insert(delivery.number).inserted ? 1 : 0
                        await member.finish(delivery.position)
                    }
                    try await member.commit()
                    assigned += await member.assignment().count
                }
                guard assigned == 8, news >= 40 || quiet >= 2 else { continue }
                (news, quiet) = (0, 0)
                if Bool.random(using: &random) {
                    await members.remove(at: Int.random(in: 0..<members.count, using: &random)).close()
                }
                while members.count < Int.random(in: 1...4, using: &random) {
                    members.append(try await broker.consumer(topic, inFlight: 20))
                }
            }
            for member in members { await member.close() }
        },
        ConformanceCase(
            "finished records are committed before their partition is revoked", needs: [.commitsWhileRebalancing]
        ) { broker in
            let topic = try await broker.topic(partitions: 2)
            try await broker.send(40, to: topic)
            let first = try await broker.consumer(topic)
            let found = try await first.take(40)
            await first.finish(found)
            let second = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([first, second], partitions: 2)
            try require(try await second.leftover().count, equals: 0, "records delivered again")
            await first.close()
            await second.close()
        },
        ConformanceCase("a record that finishes after its partition was revoked is not committed") { broker in
            let topic = try await broker.topic(partitions: 2)
            try await broker.send(40, to: topic)
            let first = try await broker.consumer(topic)
            let found = try await first.take(40)
            let second = try await broker.consumer(topic)
            let moved = try await broker.stableAssignment([first, second], partitions: 2)[1]
            await first.finish(found)
            try await first.commit()
            let committed = try await broker.committed(topic)
            for partition in moved {
                try require(committed[partition.partition] ?? 0, equals: 0, "committed of \(partition)")
            }
            let orphans = found.filter { moved.contains($0.position.partition) }
            try require(
                Set(try await second.take(orphans.count).map(\.number)), equals: Set(orphans.map(\.number)), "orphans")
            await first.close()
            await second.close()
        },
        ConformanceCase("other members take over from a member that leaves, and it gets a share when it rejoins") {
            broker in
            let topic = try await broker.topic(partitions: 4)
            let first = try await broker.consumer(topic)
            let second = try await broker.consumer(topic)
            _ = try await broker.stableAssignment([first, second], partitions: 4)
            await first.leave()
            try require(await first.assignment(), equals: [], "partitions of the one that left")
            _ = try await broker.stableAssignment([second], partitions: 4)
            try await broker.send(40, to: topic)
            await second.finish(try await second.take(40))
            try require(try await first.leftover().count, equals: 0, "records of the one that left")
            await first.rejoin()
            _ = try await broker.stableAssignment([first, second], partitions: 4)
            await first.leave()
            await first.rejoin()
            _ = try await broker.stableAssignment([first, second], partitions: 4)
            for member in [first, second] { await member.close() }
        },
        ConformanceCase("after a member leaves, only its unfinished records are delivered again") { broker in
            let topic = try await broker.topic(partitions: 1)
            try await broker.send(20, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(20)
            for delivery in found.prefix(8) { await consumer.finish(delivery.position) }
            await consumer.leave()
            await consumer.finish(found[12].position)
            await consumer.rejoin()
            try require(try await consumer.take(12).map(\.number), equals: Array(8..<20), "what came again")
            await consumer.close()
        },
        ConformanceCase("groups do not affect each other") { broker in
            let topic = try await broker.topic()
            try await broker.send(50, to: topic)
            for group in ["one", "two", "three"] {
                let consumer = try await broker.consumer(topic, group: group)
                let found = try await consumer.take(50)
                try require(Set(found.map(\.number)), equals: Set(0..<50), "what \(group) was given")
                await consumer.finish(found)
                await consumer.close()
            }
        },
        ConformanceCase("a closed consumer, producer or reader throws `closed`") { broker in
            let topic = try await broker.topic()
            let consumer = try await broker.consumer(topic)
            let poll = Task { try await consumer.poll(limit: 1, wait: Fixture.patience) }
            try await Task.sleep(for: .milliseconds(50))
            await consumer.close()
            try await broker.expect(.closed) { _ = try await poll.value }
            try await broker.expect(.closed) { _ = try await consumer.poll(limit: 1, wait: .zero) }
            try await broker.expect(.closed) { try await consumer.commit() }
            await consumer.close()
            let producer = try await broker.transport.producer()
            await producer.close()
            try await broker.expect(.closed) { _ = try await producer.send([broker.record("a", "1")], to: topic) }
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            await reader.close()
            try await broker.expect(.closed) { _ = try await reader.poll(limit: 1, wait: .zero) }
        },
    ]
}

extension Fixture {
    /// Polls the members until they share all partitions evenly, which means that all of them have joined. Members
    /// learn of a rebalance by polling.
    func stableAssignment(_ members: [any GroupConsumer], partitions: Int) async throws -> [Set<TopicPartition>] {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            var assignment: [Set<TopicPartition>] = []
            for member in members {
                // With a limit of 0, a poll takes no records but still takes part in a rebalance.
                _ = try await member.poll(limit: 0, wait: .milliseconds(20))
                assignment.append(await member.assignment())
            }
            let all = assignment.reduce(into: Set()) { $0.formUnion($1) }
            let shares = partitions / members.count...(partitions + members.count - 1) / members.count
            // Members are asked one after the other: a partition that moved meanwhile is in two answers, and not yet stable.
            let isDisjoint = assignment.map(\.count).reduce(0, +) == all.count
            if isDisjoint, all.count == partitions, assignment.allSatisfy({ shares.contains($0.count) }) {
                return assignment
            }
            try require(ContinuousClock.now < deadline, "the group does not become stable: \(assignment)")
        }
    }
}
