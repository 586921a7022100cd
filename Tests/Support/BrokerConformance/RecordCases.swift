import Broker
import Glibc

extension BrokerConformance {
    static let recordCases = [
        ConformanceCase("keys, values and headers are delivered unchanged") { broker in
            let topic = try await broker.topic(partitions: 1)
            let every = Array(UInt8.min...UInt8.max)
            let headers = [
                Header(name: "traceparent", value: every), Header(name: "", value: []),
                Header(name: "zweimal €", value: [1]), Header(name: "zweimal €", value: [2]),
            ]
            let records = [
                Record(key: every, value: every, headers: headers), Record(key: [0], value: []),
                Record(key: Array("key".utf8), value: [UInt8](repeating: 7, count: 60_000)),
            ]
            let producer = try await broker.transport.producer()
            let before = broker.now
            _ = try await producer.send(records, to: topic)
            let consumer = try await broker.consumer(topic)
            let found = try await consumer.take(3)
            try require(found.map(\.record), equals: records, "the records")
            try require(found[0].record.header("zweimal €"), equals: [2], "the last header of that name")
            for delivery in found {
                let late = delivery.timestampMilliseconds - before
                try require((-1000...60_000).contains(late), "the time of sending is \(late) ms off")
            }
            await consumer.close()
        },
        ConformanceCase("a record without a value is delivered, and differs from one with an empty value") { broker in
            let topic = try await broker.topic(partitions: 1)
            let records = [
                Record(key: [1], value: nil, headers: [Header(name: "a", value: [1])]), Record(key: [1], value: []),
            ]
            _ = try await broker.transport.producer().send(records, to: topic)
            let consumer = try await broker.consumer(topic)
            try require(try await consumer.take(2).map(\.record), equals: records, "the records")
            await consumer.close()
        },
        ConformanceCase("if one record is above the size limit, none is sent") { broker in
            let topic = try await broker.topic(partitions: 1)
            let producer = try await broker.transport.producer()
            let large = Record(key: [1], value: [UInt8](repeating: 0, count: Record.maxBytes))
            do {
                _ = try await producer.send([broker.record("a", "0"), large], to: topic)
                throw ConformanceFailure(description: "a record of \(large.sizeBytes) bytes was taken")
            } catch let error as BrokerError {
                try require(error, equals: .recordTooLarge(bytes: large.sizeBytes, topic: topic), "the error")
            }
            try require(try await broker.transport.watermarks(topic: topic), equals: [0: 0..<0], "watermarks")
            let largest = Record(key: [1], value: [UInt8](repeating: 0, count: Record.maxBytes - 1))
            try require(
                try await producer.send([largest], to: topic).map(\.offset), equals: [0], "the largest's offset")
        },
        ConformanceCase("the error for an unknown topic names it") { broker in
            let unknown = broker.name("unknown")
            try await broker.expect(.unknownTopic(unknown)) {
                _ = try await broker.transport.producer().send([broker.record("a", "1")], to: unknown)
            }
            try await broker.expect(.unknownTopic(unknown)) {
                _ = try await broker.transport.watermarks(topic: unknown)
            }
            try await broker.expect(.unknownTopic(unknown)) {
                _ = try await broker.transport.reader(topic: unknown, from: [:])
            }
            try await broker.expect(.unknownTopic(unknown)) { _ = try await broker.consumer(unknown) }
        },
        ConformanceCase("creating an existing topic changes nothing") { broker in
            let topic = try await broker.topic(partitions: 2)
            try await broker.send(10, to: topic)
            let before = try await broker.transport.watermarks(topic: topic)
            _ = try await broker.topic(partitions: 5)
            try require(try await broker.transport.watermarks(topic: topic), equals: before, "watermarks")
        },
        ConformanceCase("a compacted topic keeps the newest record of each key", needs: [.compacts]) { broker in
            let topic = try await broker.topic(partitions: 2, retention: .compacted)
            try await broker.send(160, to: topic)
            _ = try await broker.transport.producer().send([Record(key: Array("key 3".utf8), value: nil)], to: topic)
            let reader = try await broker.transport.reader(topic: topic, from: [:])
            let found = try await reader.take(16)
            try require(
                Set(found.map(\.text)), equals: Set((144..<160).map { $0 == 147 ? "(none)" : "\($0)" }), "values")
            try require(try await reader.poll(limit: 10, wait: .zero).count, equals: 0, "older records")
            await reader.close()
        },
    ]
}

extension Fixture {
    /// The current time in milliseconds since 1970.
    var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    func expect(_ wanted: BrokerError, line: Int = #line, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as BrokerError {
            return try require(error, equals: wanted, "the error", line: line)
        }
        throw ConformanceFailure(description: "line \(line): no error, where \(wanted) was due")
    }
}
