import ExternalTools
import Foundation
import Testing
import WebClient

extension ClusterTests {
    /// The order of jobs, and the delay of jobs.
    @Suite struct JobPriorityTests {
        @Test("Interactive jobs overtake all waiting bulk jobs")
        func lanes() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(100)
            try cluster.makeSources(3, in: "urgent")
            let coordinator = try cluster.start("coordinator")
            let catalogue = try cluster.start("catalogue")
            let port = try #require(try FreePorts.take(1).first)
            let worker = try cluster.start(
                "worker",
                ["-j", "1", "--null-renderer", "--name", "one", "--listen", "127.0.0.1:\(port)"]
                    + ["--log-level", "debug"])
            #expect(worker.wait(for: "event=worker.started"))
            // The first bulk job lasts until both lanes are in the worker's windows, of six deliveries each.
            let children = ProcessTree.children(of: worker.identifier)
            for child in children { kill(child, SIGSTOP) }
            let bulk = try cluster.submit("archive/shoot")
            func hasWaiting(_ count: Int) -> Bool {
                cluster.wait {
                    Client.get("/metrics", port: port)?.body.contains("\nrawmill_jobs_waiting \(count)\n") ?? false
                }
            }
            #expect(hasWaiting(5))
            let urgent = try cluster.submit("archive/urgent", ["--lane", "interactive"])
            #expect(hasWaiting(8))
            for child in children { kill(child, SIGCONT) }
            #expect(try cluster.waitForStatus(bulk) { $0["completed"] as? Int == 100 })
            // Brokers acknowledge manifests, and the coordinator reads them, in any order: the starts show the order.
            let order = worker.jobs("job.started")
            let closed = coordinator.jobs("job.closed", with: "batch=\(urgent)")
            #expect(order.count == 103 && closed.count == 3)
            #expect(Set(order.dropFirst().prefix(3)) == Set(closed), "\(order.prefix(9)), \(closed)")
            withExtendedLifetime(catalogue) {}
        }

        @Test("A job that lasts longer than a session stays with its worker, and runs once", .night)
        func longJob() throws {
            let cluster = try TestCluster(.mock)
            _ = try Rawmill.run("sample", "--out", cluster.folder.appending(path: "archive/shoot").path, "--count", "1")
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--name", "slow", "--log-level", "debug"])
            let other = try cluster.start(
                "worker", ["-j", "1", "--null-renderer", "--name", "idle", "--log-level", "debug"])
            #expect(worker.wait(for: "event=worker.started") && other.wait(for: "event=worker.started"))
            // A member that joins later makes the group reassign its partitions. That hands a long job over after five
            // seconds, and it is rendered twice: allowed, but not tested here.
            let group = "rawmill.jobs.bulk.workers"
            try #require(cluster.wait { worker.hasPartitions(of: group) && other.hasPartitions(of: group) })
            let children = ProcessTree.children(of: worker.identifier) + ProcessTree.children(of: other.identifier)
            for child in children { kill(child, SIGSTOP) }
            let batch = try cluster.submit("archive/shoot")
            #expect(cluster.wait { (worker.errorsSoFar + other.errorsSoFar).contains("event=job.started") })
            let isRevoked = cluster.wait(seconds: 2 * TestCluster.sessionSeconds) {
                !worker.hasPartitions(of: group) || !other.hasPartitions(of: group)
            }
            #expect(!isRevoked, "\(worker.errorsSoFar)\n\(other.errorsSoFar)")
            for child in children { kill(child, SIGCONT) }
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 1 })
            let logs = worker.errorsSoFar + other.errorsSoFar
            #expect(logs.components(separatedBy: "event=job.completed").count == 2, "\(logs)")
            #expect(!logs.contains("lost=true"), "\(logs)")
            withExtendedLifetime(roles) {}
        }

        @Test("Failures in a row pause a worker, which reports it; `resume` continues it, and nothing is lost")
        func breaker() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(8)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--name", "broken", "--breaker", "5"])
            #expect(worker.wait(for: "event=worker.started"))
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["failed"] as? Int == 5 })
            #expect(try cluster.waitForWorker("broken") { $0["state"] as? String == "paused after failures" })
            #expect(try cluster.run("resume").status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["failed"] as? Int == 8 })
            // No sixth job began before the operator's command.
            let log = worker.errorsSoFar
            let resumed = try #require(log.firstRange(of: "event=worker.resumed")?.lowerBound)
            #expect(log[..<resumed].components(separatedBy: "event=job.failed").count == 6, "\(log)")
            withExtendedLifetime(roles) {}
        }
    }
}

extension Running {
    /// Whether the process currently has partitions of the consumer group, by its log.
    fileprivate func hasPartitions(of group: String) -> Bool {
        let lines = errorsSoFar.split(separator: "\n")
        let last = lines.last { $0.contains(" event=partitions.") && "\($0) ".contains(" group=\(group) ") }
        return last.map { $0.contains(" event=partitions.assigned ") && !"\($0) ".contains(" count=0 ") } ?? false
    }

    /// The jobs in the log's lines of an event, in order.
    fileprivate func jobs(_ event: String, with text: String = "") -> [String] {
        errorsSoFar.split(separator: "\n").filter {
            $0.contains("event=\(event) ") && (text.isEmpty || $0.contains(text))
        }.compactMap {
            $0.split(separator: " ").first { $0.hasPrefix("job=") }.map(String.init)
        }
    }
}
