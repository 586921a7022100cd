import Broker
import Foundation
import KafkaBroker
import Testing

@Suite("Dead letters of a cluster", .serialized)
struct DeadLetterTests {
    @Test("are listed with their reasons, shown in full, and redriven once the cause is removed")
    func redriving() throws {
        let cluster = try TestCluster(.mock)
        try cluster.makeSources(3)
        let shoot = cluster.folder.appending(path: "archive/shoot")
        let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
        let batch = try #require(try cluster.run("submit", ["archive/shoot", "--json"]).field("batch") as? String)
        #expect(try cluster.waitForStatus(batch) { $0["accepted"] as? Int == 3 })
        let (file, away) = (shoot.appending(path: "IMG_1.CR2"), cluster.folder.appending(path: "away"))
        try FileManager.default.moveItem(at: file, to: away)
        let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
        #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 0 })

        // The coordinator looked for the file itself, and then wrote the letter.
        func list() throws -> [[String: Any]] {
            try cluster.run("dead-letters", ["list", "--json"]).events("deadLetter")
        }
        #expect(try cluster.wait { try !list().isEmpty })
        let letters = try list()
        #expect(letters.map { $0["reason"] as? String } == ["source-missing"])
        let letter = try #require(letters.first)
        #expect(letter["file"] as? String == "archive/shoot/IMG_1.CR2" && letter["batch"] as? String == batch)
        let number = try #require(letter["number"] as? Int)
        let shown = try cluster.run("dead-letters", ["show", "\(number)"])
        #expect(shown.output.contains("source-missing") && shown.output.contains(/needs +engine/), "\(shown.output)")
        #expect(try cluster.run("dead-letters", ["list", "--reason", "corrupt"]).errors.contains("No dead letter"))

        // Its next attempt fails too: a second letter of the same job, which is requested once.
        #expect(try cluster.run("dead-letters", ["redrive", "\(number)"]).output.contains("Retrying 1 job"))
        #expect(try cluster.wait { try list().count == 2 })
        try FileManager.default.moveItem(at: away, to: file)
        let redriven = try cluster.run("dead-letters", ["redrive", "--reason", "source-missing"])
        #expect(redriven.output.contains("Retrying 1 job."), "\(redriven.output) \(redriven.errors)")
        #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 3 })
        // Redriven again, a finished job is unchanged.
        #expect(try cluster.run("dead-letters", ["redrive", "--all"]).status == 0)
        #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 3 && $0["open"] as? Int == 0 })
        #expect(cluster.wait { cluster.shownPhotos.count == 3 })
        withExtendedLifetime((roles, worker)) {}
    }

    @Test("keep an unreadable record unchanged, and send it back unchanged")
    func unreadable() async throws {
        let cluster = try TestCluster(.mock)
        let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
        #expect(worker.wait(for: "event=worker.started"))
        let transport = try cluster.transport()
        let producer = try await transport.producer()
        let record = Record(
            key: [1], value: Array("no job \u{1B}[31m".utf8), headers: [Header(name: "of", value: [65])])
        _ = try await producer.send([record], to: Topics.bulkJobs)
        func letters() throws -> [[String: Any]] {
            try cluster.run("dead-letters", ["list", "--json"]).events("deadLetter")
        }
        #expect(try cluster.wait { try letters().count == 1 })
        let letter = try #require(try letters().first)
        #expect(letter["reason"] as? String == "malformed-record" && letter["topic"] as? String == Topics.bulkJobs)
        #expect(letter["value"] as? String == "6e6f206a6f62201b5b33316d" && letter["file"] is NSNull)
        let shown = try cluster.run("dead-letters", ["show", "\(letter["number"] as? Int ?? -1)"])
        #expect(shown.output.contains(/header of +A/) && !shown.output.contains("\u{1B}"), "\(shown.output)")
        let redriven = try cluster.run("dead-letters", ["redrive", "--all"])
        #expect(redriven.output.contains("resent 1 record"), "\(redriven.output) \(redriven.errors)")
        #expect(try cluster.wait { try letters().count == 2 })

        // Larger than Rawmill's own records: only its beginning is kept, and the others are still sent.
        let roomy = Topic(name: Topics.bulkJobs, partitions: 1, retention: .untilConsumed, maxRecordBytes: 1 << 20)
        try await transport.create([roomy])
        let large = Record(key: [UInt8](repeating: 2, count: 20_000), value: [UInt8](repeating: 3, count: 70_000))
        _ = try await producer.send([large], to: Topics.bulkJobs)
        #expect(try cluster.wait { try letters().count == 3 })
        let others = try cluster.run("dead-letters", ["redrive", "--all"])
        #expect(others.output.contains("resent 2 records, skipped 1 letter"), "\(others.output) \(others.errors)")
        await producer.close()
        await transport.close()
    }

    @Test("that do not exist are refused, and so is a command that selects none")
    func refused() throws {
        let cluster = try TestCluster(.mock)
        let shown = try cluster.run("dead-letters", ["show", "7"])
        #expect(shown.status == 64 && shown.errors.contains("no dead letter 7"), "\(shown.errors)")
        let none = try cluster.run("dead-letters", ["redrive"])
        #expect(none.status == 64 && none.errors.contains("Give NUMBER…"), "\(none.errors)")
        let missing = try cluster.run("dead-letters", ["redrive", "3"])
        #expect(missing.status == 64 && missing.errors.contains("no dead letter 3"), "\(missing.errors)")
        #expect(try cluster.run("dead-letters", ["list"]).errors == "There are no dead letters.\n")
    }
}
