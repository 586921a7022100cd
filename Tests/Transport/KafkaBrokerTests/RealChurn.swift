import Broker
import KafkaBroker
import SeededRandom
import Synchronization
import Testing

/// Members join and leave a real Kafka while its brokers are killed.
enum RealChurn {
    static func run(_ kafka: RealKafka, records: Int, harmed: Duration, within time: Duration) async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let settings = try BackEnds.realSettings(kafka.servers)
        let topic = "churn-\(String(seed, radix: 36))"
        let owner = try KafkaTransport(settings)
        try await owner.create([Topic(name: topic, partitions: 8, retention: .forever)])
        let churn = Churn(
            topic: topic, group: topic, records: records, lives: 1000...8000, connect: { try KafkaTransport(settings) },
            kill: { await ($0 as? KafkaTransport)?.abandon() },
            harm: { random in
                let node = Int.random(in: 1...kafka.nodes, using: &random)
                try await Task.sleep(for: .milliseconds(Int.random(in: 500...3000, using: &random)))
                try await kafka.perform("kill", node)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...2000, using: &random)))
                try await kafka.perform("restart", node)
                try await Task.sleep(for: .milliseconds(Int.random(in: 1000...4000, using: &random)))
            })
        print("kafka churn over \(kafka.nodes) brokers: seed \(seed)")
        try await churn.run(seed: seed, harmed: harmed, within: time)
        await owner.close()
        let (done, deliveries) = churn.history.state.withLock { ($0.done.count, $0.deliveries) }
        print("kafka churn over \(kafka.nodes) brokers: \(done) records, \(deliveries) deliveries finished")
    }
}
