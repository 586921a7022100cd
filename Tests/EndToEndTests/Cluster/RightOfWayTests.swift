import Foundation
import Testing

extension ClusterTests {
    /// Which job is next, and what holds jobs back.
    @Suite struct RightOfWayTests {
        @Test("Interactive jobs overtake all bulk jobs that wait")
        func lanes() throws {
            let cluster = try ClusterPlace(.mock)
            try cluster.makeSources(100)
            try cluster.makeSources(5, in: "urgent")
            let coordinator = try cluster.start("coordinator")
            let catalogue = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "one"])
            #expect(worker.wait(for: "event=worker.started"))
            #expect(try cluster.run("pause").status == 0)
            #expect(worker.wait(for: "event=worker.paused"))
            let bulk = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(bulk) { $0["open"] as? Int == 100 })
            let urgent = try cluster.submit("archive/urgent", ["--lane", "interactive"])
            #expect(try cluster.waitForStatus(urgent) { $0["open"] as? Int == 5 })
            #expect(coordinator.wait(for: "batch=\(urgent)"))
            // Until both lanes are in the worker's windows.
            Thread.sleep(forTimeInterval: 1)
            #expect(try cluster.run("resume").status == 0)
            #expect(try cluster.waitForStatus(bulk) { $0["completed"] as? Int == 100 })
            let order = coordinator.errorsSoFar.split(separator: "\n").filter { $0.contains("event=job.closed") }
                .map { $0.contains("batch=\(urgent)") }
            #expect(order.count == 105 && order.lastIndex(of: true) ?? .max < 8, "\(order)")
            withExtendedLifetime(catalogue) {}
        }

        @Test("A job that lasts longer than a session stays with its worker, and runs once")
        func longJob() throws {
            let cluster = try ClusterPlace(.mock)
            _ = try Rawmill.run("sample", "--out", cluster.folder.appending(path: "archive/shoot").path, "--count", "1")
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--name", "slow", "--log-level", "debug"])
            let other = try cluster.start(
                "worker", ["-j", "1", "--null-renderer", "--name", "idle", "--log-level", "debug"])
            #expect(worker.wait(for: "event=worker.started") && other.wait(for: "event=worker.started"))
            let children = ProcessTree.children(of: worker.identifier) + ProcessTree.children(of: other.identifier)
            for child in children { kill(child, SIGSTOP) }
            let batch = try cluster.submit("archive/shoot")
            #expect(cluster.wait { (worker.errorsSoFar + other.errorsSoFar).contains("event=job.started") })
            Thread.sleep(forTimeInterval: 12)
            for child in children { kill(child, SIGCONT) }
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 1 })
            let logs = worker.errorsSoFar + other.errorsSoFar
            #expect(logs.components(separatedBy: "event=job.completed").count == 2, "\(logs)")
            #expect(!logs.contains("lost=true"), "\(logs)")
            withExtendedLifetime(roles) {}
        }

        @Test("Failures in a row pause a worker, which says so; a word has it go on, and nothing is lost")
        func breaker() throws {
            let cluster = try ClusterPlace(.mock)
            try cluster.makeSources(8)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--name", "broken", "--breaker", "5"])
            #expect(worker.wait(for: "event=worker.started"))
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["failed"] as? Int == 5 })
            #expect(try cluster.waitForWorker("broken") { $0["state"] as? String == "paused after failures" })
            Thread.sleep(forTimeInterval: 1)
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 3 })
            #expect(try cluster.run("resume").status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["failed"] as? Int == 8 })
            withExtendedLifetime(roles) {}
        }
    }
}
