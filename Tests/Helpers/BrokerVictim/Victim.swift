import Broker
import Glibc

/// Sends and consumes until it is killed. It prints the broker's results: `S` for an acknowledged record, `F` for a
/// record about to be finished, `C` for a committed offset.
@main
enum Victim {
    static func main() async throws {
        let broker = try await EmbeddedBroker.open(path: CommandLine.arguments[1])
        try await broker.create([Topic(name: "t", partitions: 3, retention: .forever)])
        say("open")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for sender in 0..<4 { group.addTask { try await send(broker, sender) } }
            for _ in 0..<2 { group.addTask { try await consume(broker) } }
            group.addTask { try await comeAndGo(broker) }
            try await group.waitForAll()
        }
    }

    static func send(_ broker: EmbeddedBroker, _ sender: Int) async throws {
        let producer = try await broker.producer()
        while true {
            let values = (0..<Int.random(in: 1...20)).map { _ in UInt64.random(in: 0...UInt64.max) }
            let records = values.map { Record(key: Array("\(sender)".utf8), value: Array("\($0)".utf8)) }
            let positions = try await producer.send(records, to: "t")
            for (position, value) in zip(positions, values) {
                say("S \(position.partition.partition) \(position.offset) \(value)")
            }
        }
    }

    static func consume(_ broker: EmbeddedBroker) async throws {
        try await consume(broker, try await broker.consumer(group: "g", topics: ["t"], inFlight: 50), rounds: .max)
    }

    static func comeAndGo(_ broker: EmbeddedBroker) async throws {
        while true {
            let consumer = try await broker.consumer(group: "g", topics: ["t"], inFlight: 20)
            try await consume(broker, consumer, rounds: 3)
            await consumer.close()
        }
    }

    static func consume(_ broker: EmbeddedBroker, _ consumer: any GroupConsumer, rounds: Int) async throws {
        var round = 0
        while round < rounds {
            round += 1
            for delivery in try await consumer.poll(limit: 30, wait: .milliseconds(50)).shuffled() {
                let position = delivery.position
                say("F \(position.partition.partition) \(position.offset)")
                await consumer.finish(position)
            }
            try await consumer.commit()
            for (partition, offset) in try await broker.committed(group: "g", topic: "t") {
                say("C \(partition) \(offset)")
            }
        }
    }

    /// One `write` per line, so that lines are neither cut nor mixed.
    static func say(_ text: String) {
        let line = Array("\(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
