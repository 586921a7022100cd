import Broker
import Glibc

/// Measures the embedded broker: `broker-rates FOLDER [RECORDS]`, in a folder on the disk to measure.
///
/// Prints one line per measurement: records per second, and the peak resident memory so far.
@main
enum BrokerRates {
    static func main() async throws {
        guard CommandLine.arguments.count > 1 else {
            print("usage: broker-rates FOLDER [RECORDS]")
            exit(64)
        }
        let path = CommandLine.arguments[1] + "/broker-rates.sqlite"
        let count = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 200_000
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
        let broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([
            Topic(name: "jobs", partitions: 4, retention: .untilConsumed),
            Topic(name: "single", partitions: 4, retention: .untilConsumed),
            Topic(name: "both", partitions: 4, retention: .untilConsumed),
        ])
        report("start", records: 0, seconds: 1)
        try await measure("send, 1,000 at once", count) { try await send(broker, count, batch: 1000, to: "jobs") }
        try await measure("consume and commit, 1,000 at once", count) { try await consume(broker, count, "jobs") }
        try await measure("send and consume at the same time", count) {
            async let sent: Void = send(broker, count, batch: 1000, to: "both")
            async let taken: Void = consume(broker, count, "both")
            _ = try await (sent, taken)
        }
        try await measure("send one, one sender", 500) { try await send(broker, 500, batch: 1, to: "single") }
        try await measure("send one, 64 senders", 6400) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 { group.addTask { try await send(broker, 100, batch: 1, to: "single") } }
                try await group.waitForAll()
            }
        }
        await broker.close()
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink(path + suffix) }
    }

    /// A record of a job's size, with a header.
    static func record(_ number: Int) -> Record {
        Record(
            key: withUnsafeBytes(of: UInt64(number) &* 0x9E37_79B9_7F4A_7C15) { Array($0) + Array($0) + Array($0) },
            value: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 400),
            headers: [Header(name: "traceparent", value: [UInt8](repeating: 0x30, count: 55))])
    }

    static func send(_ broker: EmbeddedBroker, _ count: Int, batch: Int, to topic: String) async throws {
        let producer = try await broker.producer()
        for start in stride(from: 0, to: count, by: batch) {
            _ = try await producer.send((start..<min(count, start + batch)).map(record), to: topic)
        }
    }

    static func consume(_ broker: EmbeddedBroker, _ count: Int, _ topic: String) async throws {
        let consumer = try await broker.consumer(group: "rates", topics: [topic], inFlight: 2000)
        var taken = 0
        while taken < count {
            let found = try await consumer.poll(limit: 1000, wait: .seconds(1))
            for delivery in found { await consumer.finish(delivery.position) }
            try await consumer.commit()
            taken += found.count
        }
        await consumer.close()
    }

    static func measure(_ name: String, _ records: Int, _ body: @Sendable () async throws -> Void) async throws {
        let clock = ContinuousClock()
        let time = try await clock.measure(body)
        report(
            name, records: records,
            seconds: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18)
    }

    static func report(_ name: String, records: Int, seconds: Double) {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        print("\(name): \(Int(Double(records) / seconds)) records/s, \(usage.ru_maxrss / 1024) MB at most")
    }
}
