import Broker
import Glibc
import KafkaBroker

/// Measures the Kafka back end on a real cluster: `kafka-rates HOST:PORT [RECORDS [NAME=VALUE ...]]`, with properties
/// of librdkafka.
///
/// Prints records per second, the processor time of an idle member, and the peak resident memory.
@main
enum KafkaRates {
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else {
            print("usage: kafka-rates HOST:PORT [RECORDS [NAME=VALUE ...]]")
            exit(64)
        }
        let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 200_000
        var properties = KafkaProperties()
        for assignment in CommandLine.arguments.dropFirst(3) { try properties.set(assignment, from: .commandLine) }
        let address = try KafkaAddress("kafka://\(CommandLine.arguments[1])")
        let transport = try KafkaTransport(KafkaSettings(address, properties: properties))
        let topic = "rates-\(UInt32.random(in: 0 ... .max))"
        try await transport.create([Topic(name: topic, partitions: 16, retention: .forever)])
        let producer = try await transport.producer()
        for batch in [1000, 100] {
            try await measure("send, \(batch) at once, one sender", count) {
                for start in stride(from: 0, to: count, by: batch) {
                    _ = try await producer.send((start..<start + batch).map(record), to: topic)
                }
            }
        }
        try await measure("send one, 64 senders", count / 10) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        for number in 0..<count / 640 { _ = try await producer.send([record(number)], to: topic) }
                    }
                }
                try await group.waitForAll()
            }
        }
        let consumer = try await transport.consumer(group: topic, topics: [topic], inFlight: 4000)
        try await measure("consume, finish and commit, with joining", 2 * count) {
            var taken = 0
            while taken < 2 * count {
                let found = try await consumer.poll(limit: 1000, wait: .seconds(1))
                for delivery in found { await consumer.finish(delivery.position) }
                try await consumer.commit()
                taken += found.count
            }
        }
        while try await !consumer.poll(limit: 4000, wait: .seconds(1)).isEmpty {}
        try await idle(.seconds(20), consumer)
        await transport.close()
    }

    /// Runs a member and a producer without work.
    static func idle(_ time: Duration, _ consumer: any GroupConsumer) async throws {
        let end = ContinuousClock.now + time
        let before = processorSeconds
        while ContinuousClock.now < end { _ = try await consumer.poll(limit: 10, wait: .seconds(5)) }
        let share = (processorSeconds - before) / Double(time.components.seconds) * 100
        print("idle: \(Double(Int(share * 100)) / 100) % of one core")
    }

    static var processorSeconds: Double {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }

    /// A record of a job's size, with a header.
    static func record(_ number: Int) -> Record {
        Record(
            key: withUnsafeBytes(of: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) { Array($0) + Array($0) + Array($0) },
            value: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 400),
            headers: [Header(name: "traceparent", value: [UInt8](repeating: 0x30, count: 55))])
    }

    static func measure(_ name: String, _ records: Int, _ body: @Sendable () async throws -> Void) async throws {
        let time = try await ContinuousClock().measure(body)
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        print("\(name): \(Int(Double(records) / seconds)) records/s, \(usage.ru_maxrss / 1024) MB at most")
    }
}
