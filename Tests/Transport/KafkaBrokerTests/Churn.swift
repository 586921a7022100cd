import Broker
import BrokerConformance
import SeededRandom
import Synchronization
import Testing

/// Members join, leave and die while a cluster has failures. No record may be lost, and no unfinished one committed.
struct Churn: Sendable {
    let topic: String
    let group: String
    let records: Int
    /// How long a member stays, in milliseconds.
    let lives: ClosedRange<Int>
    /// Creates a transport. Every member has its own, as a separate process would.
    let connect: @Sendable () throws -> any Transport
    /// Ends a transport like a killed process: without closing anything.
    let kill: @Sendable (any Transport) async -> Void
    /// Causes one failure, and repairs it.
    let harm: @Sendable (inout SeededGenerator) async throws -> Void
    let history = History()

    /// The records that were sent, delivered and finished, over all members.
    final class History: Sendable {
        struct State {
            var sent: [Position: Int] = [:]
            var finished: Set<Position> = []
            var done: Set<Int> = []
            var deliveries = 0
            var isSent = false
            var complaints: [String] = []
        }
        let state = Mutex(State())
        var isOver: Bool { state.withLock { $0.isSent && $0.done.count == Set($0.sent.values).count } }
    }

    /// Sends all records, and returns when all of them are finished.
    ///
    /// - Parameter harmed: for how long there are failures, and members join and leave. Then the remaining members
    ///   finish.
    /// - Throws: an error of the cluster, or `Late` if the records are not finished in time.
    func run(seed: UInt64, harmed: Duration, within time: Duration) async throws {
        let deadline = ContinuousClock.now + time
        let calm = ContinuousClock.now + harmed
        try await withThrowingTaskGroup { tasks in
            tasks.addTask { try await self.produce(deadline) }
            for member in 0..<3 {
                tasks.addTask {
                    var random = SeededGenerator(seed: seed &+ UInt64(member) &+ 1)
                    while !self.history.isOver { try await self.live(&random, calm, deadline) }
                }
            }
            tasks.addTask {
                var random = SeededGenerator(seed: seed)
                while !self.history.isOver && ContinuousClock.now < calm { try await self.harm(&random) }
            }
            try await tasks.waitForAll()
        }
        let complaints = history.state.withLock { $0.complaints }
        #expect(complaints.isEmpty, "seed \(seed): \(complaints.prefix(5))")
    }

    private func produce(_ deadline: ContinuousClock.Instant) async throws {
        let transport = try connect()
        let producer = try await transport.producer()
        for first in stride(from: 0, to: records, by: 50) {
            let numbers = Array(first..<first + 50)
            let batch = numbers.map { Record(key: Array("key \($0 % 97)".utf8), value: Array("\($0)".utf8)) }
            while true {
                try await requireTime(deadline, transport)
                do {
                    let positions = try await producer.send(batch, to: topic)
                    history.state.withLock { state in
                        for (position, number) in zip(positions, numbers) { state.sent[position] = number }
                    }
                    break
                } catch BrokerError.unavailable {}
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        history.state.withLock { $0.isSent = true }
        await transport.close()
    }

    /// Runs one member from its start to its end.
    private func live(
        _ random: inout SeededGenerator, _ calm: ContinuousClock.Instant, _ deadline: ContinuousClock.Instant
    ) async throws {
        let transport = try connect()
        do {
            let consumer = try await transport.consumer(group: group, topics: [topic], inFlight: 40)
            let planned = ContinuousClock.now + .milliseconds(Int.random(in: lives, using: &random))
            let end = planned < calm ? planned : deadline + .seconds(10)
            var open: [Delivery] = []
            while ContinuousClock.now < end && !history.isOver {
                try await requireTime(deadline, transport)
                open += try await consumer.poll(limit: 20, wait: .milliseconds(100))
                open.shuffle(using: &random)
                for _ in 0..<Int.random(in: 0...open.count, using: &random) {
                    await finish(open.removeLast(), consumer)
                }
                _ = try? await consumer.commit()
                try await check(transport)
            }
            if planned < calm, Int.random(in: 0..<3, using: &random) == 0 {
                await kill(transport)
            } else {
                await consumer.close()
            }
        } catch BrokerError.unavailable {
            try await requireTime(deadline, transport)
        }
        await transport.close()
    }

    private func finish(_ delivery: Delivery, _ consumer: any GroupConsumer) async {
        let number = delivery.record.value.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? -1
        history.state.withLock { state in
            state.deliveries += 1
            state.finished.insert(delivery.position)
            state.done.insert(number)
        }
        await consumer.finish(delivery.position)
    }

    /// Checks that no committed offset is above an unfinished record.
    private func check(_ transport: any Transport) async throws {
        guard let committed = try? await transport.committed(group: group, topic: topic) else { return }
        history.state.withLock { state in
            for (partition, end) in committed {
                let place = TopicPartition(topic: topic, partition: partition)
                for offset in 0..<end where !state.finished.contains(Position(partition: place, offset: offset)) {
                    state.complaints.append("committed \(end) of partition \(partition), and \(offset) is unfinished")
                }
            }
        }
    }

    /// - Throws: `Late` after the deadline, with the missing records and the state of their partitions.
    private func requireTime(_ deadline: ContinuousClock.Instant, _ transport: any Transport) async throws {
        guard ContinuousClock.now > deadline else { return }
        let (sent, done, complaints) = history.state.withLock { ($0.sent, $0.done, $0.complaints) }
        let missing = sent.filter { !done.contains($0.value) }.keys
        let committed = (try? await transport.committed(group: group, topic: topic)) ?? [:]
        let ranges = (try? await transport.watermarks(topic: topic)) ?? [:]
        let partitions = Dictionary(grouping: missing, by: \.partition.partition).map { partition, positions in
            let offsets = positions.map(\.offset).sorted()
            return "partition \(partition): \(offsets.count) from \(offsets[0]) to \(offsets[offsets.count - 1]), "
                + "committed \(committed[partition].map { "\($0)" } ?? "nothing") of \(ranges[partition] ?? 0..<0)"
        }
        throw Late(
            description: "\(missing.count) of \(Set(sent.values).count) records never came: "
                + (partitions + complaints.prefix(5)).joined(separator: "; "))
    }

    struct Late: Error, CustomStringConvertible { let description: String }
}
