import Broker
import BrokerConformance
import Foundation
import SeededRandom
import Testing

@Suite("A process that is killed")
struct KillTests {
    /// How often a process is killed. `RAWMILL_BROKER_KILLS` sets another number.
    private static let rounds = Int(ProcessInfo.processInfo.environment["RAWMILL_BROKER_KILLS"] ?? "") ?? 12

    @Test("All acknowledged records remain, and no unfinished record is committed")
    func kill() async throws {
        var random = SeededGenerator()
        print("broker kills: \(Self.rounds), seed \(random.seed)")
        let folder = try TemporaryFolder()
        var history = History()
        for _ in 0..<Self.rounds {
            let milliseconds = Int.random(in: 20...400, using: &random)
            history.add(try await Self.victim(folder.path + "/broker.sqlite", killedAfter: .milliseconds(milliseconds)))
            let broker = try await EmbeddedBroker.open(path: folder.path + "/broker.sqlite")
            try await history.check(broker, "seed \(random.seed)")
            await broker.close()
        }
        print("broker kills: \(history.sent.count) records acknowledged, \(history.finished.count) finished")
        #expect(history.sent.count > 100)
        #expect(history.finished.count > 100)
    }

    /// The lines that the victim printed before it was killed.
    private static func victim(_ path: String, killedAfter time: Duration) async throws -> [Substring] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("broker-victim")
        process.arguments = [path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        // The time begins when the victim has started and opened the broker, which its first line reports.
        let first = await Task.detached { pipe.fileHandleForReading.availableData }.value
        // Read the pipe all the time, because a full pipe would block the victim.
        let reader = Task.detached { first + pipe.fileHandleForReading.readDataToEndOfFile() }
        try await Task.sleep(for: time)
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal, "the victim was not killed")
        return String(decoding: await reader.value, as: UTF8.self).split(separator: "\n")
    }
}

/// The reports of all victims of one broker.
private struct History {
    struct Place: Hashable {
        let partition: Int32
        let offset: Int64
    }

    var sent: [Place: String] = [:]
    var finished: Set<Place> = []
    /// The highest offset that a victim reported as committed, by partition.
    var committed: [Int32: Int64] = [:]

    mutating func add(_ lines: [Substring]) {
        for line in lines {
            let words = line.split(separator: " ")
            switch words.first {
            case "S": sent[Place(partition: Int32(words[1])!, offset: Int64(words[2])!)] = String(words[3])
            case "C": committed[Int32(words[1])!] = max(committed[Int32(words[1])!] ?? 0, Int64(words[2])!)
            case "F": finished.insert(Place(partition: Int32(words[1])!, offset: Int64(words[2])!))
            default: break
            }
        }
    }

    mutating func check(_ broker: EmbeddedBroker, _ seed: String) async throws {
        // The victim may have been killed before it created the topic.
        try await broker.create([Topic(name: "t", partitions: 3, retention: .forever)])
        var found: [Place: String] = [:]
        let reader = try await broker.reader(topic: "t", from: [:])
        while true {
            let batch = try await reader.poll(limit: 1000, wait: .zero)
            if batch.isEmpty { break }
            for delivery in batch {
                let place = Place(partition: delivery.position.partition.partition, offset: delivery.position.offset)
                #expect(found[place] == nil, "\(seed)")
                found[place] = String(decoding: delivery.record.value ?? [], as: UTF8.self)
            }
        }
        for (place, value) in sent { #expect(found[place] == value, "\(place), \(seed)") }
        let durable = try await broker.committed(group: "g", topic: "t")
        for (partition, offset) in committed { #expect(durable[partition] ?? 0 >= offset, "\(seed)") }
        for (partition, offset) in durable {
            committed[partition] = offset
            for below in 0..<offset {
                #expect(
                    finished.contains(Place(partition: partition, offset: below)), "\(partition), \(below), \(seed)")
            }
        }
    }
}
