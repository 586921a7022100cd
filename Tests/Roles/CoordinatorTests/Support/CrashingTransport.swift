import Broker
import Synchronization

@testable import Coordinator

struct Crash: Error {}

/// Lets a number of steps pass and none after that, as if the process had died there.
final class CrashGate: Sendable {
    private let left: Mutex<Int>
    private let passed = Mutex(0)

    init(after steps: Int) { left = Mutex(steps) }

    var steps: Int { passed.withLock { $0 } }

    func step() throws {
        let isDead = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isDead { throw Crash() }
        passed.withLock { $0 += 1 }
    }
}

/// A transport that counts two steps for each call: before it and after it took effect.
struct CrashingTransport: Transport {
    let inner: any Transport
    let gate: CrashGate

    private func stepping<Value>(_ body: () async throws -> Value) async throws -> Value {
        try gate.step()
        let value = try await body()
        try gate.step()
        return value
    }

    func clusterID() async throws -> String { try await stepping { try await inner.clusterID() } }
    func create(_ topics: [Topic]) async throws { try await inner.create(topics) }
    func producer() async throws -> any Producer {
        CrashingProducer(inner: try await inner.producer(), gate: gate)
    }
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await inner.consumer(group: group, topics: topics, inFlight: inFlight)
    }
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        CrashingReader(
            inner: try await stepping { try await inner.reader(topic: topic, from: offsets) }, gate: gate)
    }
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await stepping { try await inner.watermarks(topic: topic) }
    }
    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await stepping { try await inner.committed(group: group, topic: topic) }
    }
    func close() async {}
}

private struct CrashingProducer: Producer {
    let inner: any Producer
    let gate: CrashGate

    func send(_ records: [Record], to topic: String) async throws -> [Position] {
        try gate.step()
        let positions = try await inner.send(records, to: topic)
        try gate.step()
        return positions
    }

    func close() async { await inner.close() }
}

private struct CrashingReader: Reader {
    let inner: any Reader
    let gate: CrashGate

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        let deliveries = try await inner.poll(limit: limit, wait: wait)
        // An empty poll is not a step, because the number of polls depends on time.
        if !deliveries.isEmpty { try gate.step() }
        return deliveries
    }

    func close() async { await inner.close() }
}

/// A transport whose calls fail ever more rarely: the first, second, fourth, eighth and so on. Any attempt succeeds in
/// the end.
struct FlakyTransport: Transport {
    let inner: any Transport
    private let calls = Counter()

    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock {
                $0 += 1
                return $0
            }
        }
    }

    init(_ inner: any Transport) { self.inner = inner }

    private func mayFail() throws {
        if calls.next().nonzeroBitCount == 1 { throw BrokerError.unavailable("away") }
    }

    func clusterID() async throws -> String {
        try mayFail()
        return try await inner.clusterID()
    }
    func create(_ topics: [Topic]) async throws { try await inner.create(topics) }
    func producer() async throws -> any Producer {
        try mayFail()
        return try await inner.producer()
    }
    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await inner.consumer(group: group, topics: topics, inFlight: inFlight)
    }
    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        try mayFail()
        return try await inner.reader(topic: topic, from: offsets)
    }
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try mayFail()
        return try await inner.watermarks(topic: topic)
    }
    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await inner.committed(group: group, topic: topic)
    }
    func close() async {}
}
