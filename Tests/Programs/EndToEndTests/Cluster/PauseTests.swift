import ExternalTools
import Foundation
import Testing
import WebClient

extension ClusterTests {
    /// The effects of `rawmill pause` have happened when it returns.
    @Suite struct PauseTests {
        private static let worker = ["-j", "2", "--null-renderer", "--log-level", "debug", "--name"]

        private func starts(_ worker: Running) -> Int {
            worker.errorsSoFar.components(separatedBy: "event=job.started").count - 1
        }

        @Test(
            "No worker starts a job once `pause` has returned, of all or of a batch", .night, arguments: [false, true])
        func effect(ofBatch: Bool) throws {
            let cluster = try TestCluster(.mock)
            // So many that no machine has finished them before `pause` is started.
            try cluster.makeSources(3000, megabytes: 16)
            let port = try FreePorts.take(1)[0]
            let roles = try [
                cluster.start("coordinator", ["--listen", "127.0.0.1:\(port)"]), cluster.start("catalogue"),
            ]
            let workers = try ["a", "b"].map { try cluster.start("worker", Self.worker + [$0]) }
            // A single one might do all the jobs before the other has joined.
            for worker in workers { #expect(worker.wait(for: "event=partitions.assigned")) }
            let batch = try cluster.submit("archive/shoot")
            for worker in workers { #expect(worker.wait(for: "event=job.completed")) }
            let paused = try cluster.run("pause", ofBatch ? [batch, "--wait"] : ["--wait"])
            let started = workers.map(starts)
            #expect(paused.status == 0, "\(paused.output) \(paused.errors)")
            #expect(paused.output.contains("2 workers will start no more of these jobs."), "\(paused.output)")
            // Only an unwanted change would end it: both workers' next heartbeats are proof enough.
            func heard(_ name: String) throws -> String? {
                try cluster.run("status", ["--json"]).events("worker").first { $0["worker"] as? String == name }?[
                    "heard"]
                    as? String
            }
            for name in ["a", "b"] {
                let last = try heard(name)
                #expect(try cluster.wait { try heard(name) != last })
            }
            #expect(workers.map(starts) == started && started.reduce(0, +) < 3000)
            // No alert is needed: no open job could be done.
            var metrics = ""
            let isTold = cluster.wait(seconds: 60) {
                metrics = Client.get("/metrics", port: port)?.body ?? ""
                let open = Self.value(of: "rawmill_ledger_jobs{state=\"open\"}", in: metrics)
                return open ?? 0 > 0 && open == Self.value(of: "rawmill_ledger_paused_jobs", in: metrics)
            }
            #expect(isTold, "\(metrics)")
            #expect(Self.value(of: "rawmill_paused", in: metrics) == (ofBatch ? 0 : 1))
            #expect(Self.value(of: "rawmill_oldest_pending_seconds", in: metrics) == 0)
            withExtendedLifetime(roles) {}
        }

        private static func value(of metric: String, in text: String) -> Double? {
            text.split(separator: "\n").first { $0.hasPrefix("\(metric) ") }?.split(separator: " ").last.flatMap {
                Double($0)
            }
        }

        @Test("When `resume` returns, every worker starts jobs again; when `cancel` returns, none starts any more")
        func resumeAndCancel() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(3000)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let workers = try ["a", "b"].map { try cluster.start("worker", Self.worker + [$0]) }
            for worker in workers { #expect(worker.wait(for: "event=worker.started")) }
            #expect(try cluster.run("pause").status == 0)
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 3000 })
            #expect(try cluster.run("pause", [batch]).status == 0)
            let ofBatch = try cluster.run("resume", [batch])
            #expect(ofBatch.status == 0 && ofBatch.output.contains("All batches are still paused"), "\(ofBatch.output)")
            let resumed = try cluster.run("resume")
            #expect(resumed.status == 0, "\(resumed.errors)")
            #expect(
                resumed.output == "Resumed: everything. 2 workers will start jobs again.\n",
                "\(resumed.output)")
            for worker in workers { #expect(worker.errorsSoFar.contains("event=worker.resumed")) }
            for worker in workers { #expect(worker.wait(for: "event=job.completed")) }

            let cancelled = try cluster.run("cancel", [batch, "--wait"])
            let started = workers.map(starts)
            #expect(cancelled.status == 0 && cancelled.output.contains("2 workers will start no more of these jobs."))
            #expect(cancelled.output.contains(" cancelled + 0 open"), "\(cancelled.output)")
            let status = try cluster.run("status", [batch, "--json"]).events("batch").first
            #expect(status?["state"] as? String == "cancelled")
            // Both workers take later jobs: they have skipped the whole cancelled batch before.
            try cluster.makeSources(4, in: "next")
            let next = try cluster.submit("archive/next", ["--wait"])
            #expect(try cluster.waitForStatus(next) { $0["completed"] as? Int == 4 })
            let total = workers.map(starts).reduce(0, +)
            #expect(total == started.reduce(0, +) + 4 && total < 3000, "\(started) \(total)")
            let again = try cluster.run("cancel", [batch])
            #expect(again.status == 0 && again.output.contains("was cancelled before"), "\(again.output)")
            withExtendedLifetime(roles) {}
        }

        @Test("Without a coordinator, `resume` and `cancel` report that nothing has happened yet")
        func withoutCoordinator() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(1)
            let coordinator = try cluster.start("coordinator")
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 1 })
            coordinator.send(SIGTERM)
            _ = coordinator.wait(seconds: 60)
            for command in [["resume"], ["cancel", batch]] {
                let ended = try cluster.run(command[0], Array(command[1...]) + ["--patience", "1"])
                #expect(ended.status == 3, "\(ended.output)")
                #expect(ended.output.contains("no coordinator accepted the command to \(command[0])"))
            }
        }

        @Test("If a pause has not taken effect, `pause` reports it and names the worker")
        func missing() throws {
            let cluster = try TestCluster(.mock)
            let early = try cluster.run("pause", ["--patience", "1"])
            #expect(early.status == 3 && early.output.contains("no coordinator accepted"), "\(early.output)")
            let coordinator = try cluster.start("coordinator")
            let worker = try cluster.start("worker", Self.worker + ["stuck"])
            #expect(try cluster.waitForWorker("stuck") { $0["state"] as? String == "paused" })
            #expect(try cluster.run("pause").status == 0)
            worker.send(SIGSTOP)
            let stuck = try cluster.run("pause", ["--patience", "4"])
            #expect(stuck.status == 3 && stuck.output.contains("1 worker did not respond"), "\(stuck.output)")
            #expect(stuck.output.contains("  stuck  heard "), "\(stuck.output)")
            worker.send(SIGCONT)
            let obeyed = try cluster.run("pause")
            #expect(obeyed.status == 0 && obeyed.output.contains("1 worker will start"), "\(obeyed.output)")
            withExtendedLifetime(coordinator) {}
        }
    }
}
