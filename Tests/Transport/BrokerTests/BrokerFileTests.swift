import BrokerConformance
import Database
import Foundation
import SeededRandom
import Testing

@testable import Broker

@Suite("The broker's file")
struct BrokerFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/broker.sqlite" }

    init() throws { folder = try TemporaryFolder() }

    private func refusal() async -> BrokerError? {
        do {
            await (try EmbeddedBroker.open(path: path)).close()
            return nil
        } catch {
            return error as? BrokerError
        }
    }

    @Test("Only one process can open the file, and the error for another names it")
    func locked() async throws {
        let broker = try await EmbeddedBroker.open(path: path)
        guard case .inUse(let why) = await refusal() else { return #expect(Bool(false), "it was opened twice") }
        #expect(why.contains("process \(ProcessInfo.processInfo.processIdentifier) on "))
        await broker.close()
        #expect(await refusal() == nil)
    }

    @Test("A broker that is released without closing unlocks the file")
    func letGo() async throws {
        _ = try await EmbeddedBroker.open(path: path)
        #expect(await refusal() == nil)
    }

    @Test("Records, offsets, topics and the cluster's id survive closing")
    func reopened() async throws {
        var ids: Set<String> = []
        for round in 0..<3 {
            let broker = try await EmbeddedBroker.open(path: path)
            ids.insert(try await broker.clusterID())
            try await broker.create([Topic(name: "t", partitions: 1, retention: .untilConsumed)])
            let record = Record(key: [1], value: Array("\(round)".utf8))
            #expect(try await broker.producer().send([record], to: "t").map(\.offset) == [Int64(round)])
            let consumer = try await broker.consumer(group: "g", topics: ["t"], inFlight: 9)
            let found = try await consumer.poll(limit: 9, wait: .zero)
            #expect(found.map(\.record) == [record])
            await consumer.finish(found[0].position)
            await broker.close()
        }
        #expect(ids.count == 1)
        let broker = try await EmbeddedBroker.open(path: path)
        #expect(try await broker.committed(group: "g", topic: "t") == [0: 3])
        #expect(try await broker.watermarks(topic: "t") == [0: 3..<3])
        await broker.close()
        await #expect(throws: BrokerError.closed) { try await broker.clusterID() }
    }

    @Test("A file of a newer version is refused and not changed")
    func newer() async throws {
        do { try Connection(path: path).script("PRAGMA user_version = 99") }
        guard case .broken(let why) = await refusal() else { return #expect(Bool(false), "it was opened") }
        #expect(why.contains("newer Rawmill") && why.contains("upgrade"))
    }

    @Test("A file that is not a database is refused, with a remedy")
    func damaged() async throws {
        try Data("this is no database, and longer than its header of a hundred bytes ".utf8 + Data(count: 9999))
            .write(to: URL(fileURLWithPath: path))
        guard case .broken(let why) = await refusal() else { return #expect(Bool(false), "it was opened") }
        #expect(why.contains(path) && why.contains("Move it away"))
    }

    @Test("A missing folder is an error that contains the path")
    func noFolder() async throws {
        do {
            _ = try await EmbeddedBroker.open(path: folder.path + "/none/broker.sqlite")
            #expect(Bool(false), "it was opened")
        } catch BrokerError.broken(let why) {
            #expect(why.contains("/none/broker.sqlite"))
        }
    }

    @Test("A record whose offset is taken is a permanent fault of the file, with a remedy")
    func constraint() async throws {
        let broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([Topic(name: "t", partitions: 1, retention: .forever)])
        let producer = try await broker.producer()
        _ = try await producer.send([Record(key: [1], value: [1])], to: "t")
        do { try Connection(path: path).run("UPDATE records SET place = place + 1") }
        do {
            _ = try await producer.send([Record(key: [2], value: [2])], to: "t")
            Issue.record("it was taken")
        } catch BrokerError.broken(let why) {
            #expect(why.contains(path) && why.contains("UNIQUE constraint failed") && why.contains("Move it away"))
        }
        await broker.close()
    }

    @Test("Records before an offset are removed, many in several steps, and the others keep their numbers")
    func removed() async throws {
        let topic = Topic(name: "t", partitions: 1, retention: .forever)
        var broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([topic])
        let records = (0..<10_000).map { Record(key: [1], value: Array("\($0)".utf8)) }
        _ = try await broker.producer().send(records, to: "t")
        try await broker.deleteRecords(of: "t", before: [0: 9000])
        for _ in 0..<2 {
            #expect(try await broker.watermarks(topic: "t") == [0: 9000..<10_000])
            let found = try await broker.reader(topic: "t", from: [:]).poll(limit: 20_000, wait: .zero)
            #expect(found.map(\.record) == Array(records[9000...]))
            await broker.close()
            broker = try await EmbeddedBroker.open(path: path)
        }
        // Not beyond the end.
        try await broker.deleteRecords(of: "t", before: [0: 20_000, 1: 5])
        #expect(try await broker.watermarks(topic: "t") == [0: 10_000..<10_000])
        #expect(try await broker.producer().send([records[0]], to: "t").map(\.offset) == [10_000])
        await broker.close()
    }

    @Test("Damaged pages lead to errors, but never to a trap")
    func damagedPages() async throws {
        let broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([Topic(name: "t", partitions: 2, retention: .forever)])
        let records = (0..<500).map { Record(key: Array("\($0)".utf8), value: [UInt8](repeating: 7, count: 100)) }
        _ = try await broker.producer().send(records, to: "t")
        await broker.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var random = SeededGenerator()
        print("damaged broker files: seed \(random.seed)")
        var delivered = 0
        for _ in 0..<60 {
            var damaged = whole
            for _ in 0..<20 {
                damaged[Int.random(in: 100..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try damaged.write(to: URL(fileURLWithPath: path))
            delivered += await use(path)
        }
        #expect((1..<60 * 501).contains(delivered))
        try whole.write(to: URL(fileURLWithPath: path))
        #expect(await use(path) == 501)
    }

    /// Returns how many records came, including the one it sent.
    private func use(_ path: String) async -> Int {
        guard let broker = try? await EmbeddedBroker.open(path: path) else { return 0 }
        var count = 0
        _ = try? await broker.producer().send([Record(key: [1], value: [1])], to: "t")
        if let consumer = try? await broker.consumer(group: "g", topics: ["t"], inFlight: 1000) {
            for delivery in (try? await consumer.poll(limit: 600, wait: .zero)) ?? [] {
                await consumer.finish(delivery.position)
                count += 1
            }
            _ = try? await consumer.commit()
        }
        await broker.close()
        return count
    }

    @Test("On a full disk, sending fails and stores nothing, and works again once there is space")
    func diskFull() async throws {
        let broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([Topic(name: "t", partitions: 1, retention: .forever)])
        let producer = try await broker.producer()
        let large = Record(key: [1], value: [UInt8](repeating: 0, count: 50_000))
        _ = try await producer.send([large], to: "t")
        try await broker.core.limitPages(to: 30)
        do {
            _ = try await producer.send(Array(repeating: large, count: 20), to: "t")
            #expect(Bool(false), "20 records of 50 kB went into 30 pages")
        } catch BrokerError.broken(let why) {
            #expect(why.contains("full") && why.contains("Free some space"))
        }
        #expect(try await broker.watermarks(topic: "t") == [0: 0..<1])
        try await broker.core.limitPages(to: 1 << 30)
        #expect(try await producer.send([large, large], to: "t").map(\.offset) == [1, 2])
        await broker.close()
    }

    @Test("Each of many concurrent records gets its own offset")
    func groupCommit() async throws {
        let broker = try await EmbeddedBroker.open(path: path)
        try await broker.create([Topic(name: "t", partitions: 1, retention: .forever)])
        let producer = try await broker.producer()
        let offsets = try await withThrowingTaskGroup(of: Int64.self) { group in
            for number in 0..<2000 {
                group.addTask { try await producer.send([Record(key: [1], value: nil)], to: "t")[0].offset }
                if number.isMultiple(of: 500) { await Task.yield() }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(offsets == Set(0..<2000))
        await broker.close()
    }
}

extension BrokerCore {
    func limitPages(to count: Int) throws { try opened().connection.script("PRAGMA max_page_count = \(count)") }
}
