import Broker
import Foundation
import Testing

extension ClusterTests {
    /// Jobs after changes of the cluster between the roles.
    @Suite struct LossTests {
        @Test("A new, empty cluster gets every open job again; finished jobs stay finished")
        func freshCluster() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(60)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "first"])
            let batch = try cluster.submit("archive/shoot")
            #expect(worker.wait(for: "event=job.completed"))
            for role in roles + [worker] {
                role.send(SIGKILL)
                _ = role.wait(seconds: 10)
            }
            try cluster.replaceBroker(.mock)
            let next = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let other = try cluster.start("worker", ["-j", "2", "--null-renderer", "--name", "second"])
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 60 })
            #expect(cluster.wait { cluster.shownPhotos.count == 60 })
            let verified = try cluster.run("library", ["verify", "--library", cluster.library.path], connects: false)
            #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
            withExtendedLifetime((next, other)) {}
        }

        @Test("A job for a newer engine waits for a newer worker, and a record of a later version is parked")
        func newerRecords() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(10)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "old"])
            #expect(worker.wait(for: "event=worker.started"))
            #expect(try cluster.run("pause").status == 0 && worker.wait(for: "event=worker.paused"))
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 10 })
            let sent = try await cluster.records(of: Topics.bulkJobs, atLeast: 10)
            let first = try #require(sent.first?.value)
            // In protocol buffers, the last occurrence of a field counts. Lane (6) 77, engine (8) 99, and a future
            // field 900.
            let unknownLane = Record(key: [1], value: first + [6 << 3, 77])
            let newerEngine = Record(key: [1], value: first + [8 << 3, 99])
            let unknownField = Record(key: [1], value: first + [0xA0, 0x38, 5])
            try await cluster.send([unknownLane, newerEngine, unknownField], to: Topics.bulkJobs)
            #expect(try cluster.run("resume").status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 10 })
            #expect(cluster.wait { worker.errorsSoFar.contains("needs engine 99") })
            let letters = try await cluster.records(of: Topics.deadLetter, atLeast: 1)
            #expect(letters.count == 1 && !worker.errorsSoFar.contains("event=job.failed"), "\(worker.errorsSoFar)")
            withExtendedLifetime(roles) {}
        }
    }
}
