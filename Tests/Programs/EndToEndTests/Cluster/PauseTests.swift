import Foundation
import Testing
import WebClient

extension ClusterTests {
    /// What `rawmill pause` says is so when it says it.
    @Suite struct PauseTests {
        private static let worker = ["-j", "2", "--null-renderer", "--log-level", "debug", "--name"]

        private func starts(_ worker: Running) -> Int {
            worker.errorsSoFar.components(separatedBy: "event=job.started").count - 1
        }

        @Test("No worker starts a job once `pause` has returned, of all or of a batch", arguments: [false, true])
        func effect(ofBatch: Bool) throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(3000)
            let port = try FreePorts.take(1)[0]
            let roles = try [
                cluster.start("coordinator", ["--listen", "127.0.0.1:\(port)"]), cluster.start("catalogue"),
            ]
            let workers = try ["a", "b"].map { try cluster.start("worker", Self.worker + [$0]) }
            let batch = try cluster.submit("archive/shoot")
            for worker in workers { #expect(worker.wait(for: "event=job.completed")) }
            let paused = try cluster.run("pause", ofBatch ? [batch, "--wait"] : ["--wait"])
            let started = workers.map(starts)
            #expect(paused.status == 0, "\(paused.output) \(paused.errors)")
            #expect(paused.output.contains("2 workers will start none of it."), "\(paused.output)")
            // Nothing ends it but a change that should not come: both workers' next heartbeats are proof enough.
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
            // Nor does anybody need to be told: no open job is one that could be done.
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

        @Test("Where a pause has not taken effect, `pause` says so and names the worker")
        func missing() throws {
            let cluster = try TestCluster(.mock)
            let early = try cluster.run("pause", ["--patience", "1"])
            #expect(early.status == 3 && early.output.contains("no coordinator has taken"), "\(early.output)")
            let coordinator = try cluster.start("coordinator")
            let worker = try cluster.start("worker", Self.worker + ["stuck"])
            #expect(try cluster.waitForWorker("stuck") { $0["state"] as? String == "paused" })
            #expect(try cluster.run("pause").status == 0)
            worker.send(SIGSTOP)
            let stuck = try cluster.run("pause", ["--patience", "4"])
            #expect(stuck.status == 3 && stuck.output.contains("1 worker did not obey"), "\(stuck.output)")
            #expect(stuck.output.contains("  stuck  heard "), "\(stuck.output)")
            worker.send(SIGCONT)
            let obeyed = try cluster.run("pause")
            #expect(obeyed.status == 0 && obeyed.output.contains("1 worker will start"), "\(obeyed.output)")
            withExtendedLifetime(coordinator) {}
        }
    }
}
