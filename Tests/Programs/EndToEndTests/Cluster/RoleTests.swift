import Broker
import ExternalTools
import Foundation
import Testing

/// The roles as separate processes, on librdkafka's mock cluster, and on a real Kafka if one can be started.
@Suite("A cluster of processes", .serialized)
enum ClusterTests {}

extension ClusterTests {
    @Suite struct RoleTests {
        @Test("converts submitted files, although a worker is killed meanwhile")
        func killedWorker() throws { try killWorker(on: .mock) }

        @Test(
            "converts submitted files over a real Kafka, although a worker is killed meanwhile", .night, .needs(.kafka)
        )
        func killedWorkerOfKafka() throws { try killWorker(on: .kafka) }

        private func killWorker(on broker: ClusterBroker) throws {
            let cluster = try TestCluster(broker)
            try cluster.makeSources(120)
            let coordinator = try cluster.start("coordinator")
            let catalogue = try cluster.start("catalogue")
            let victim = try cluster.start("worker", ["-j", "2", "--null-renderer", "--name", "victim"])
            let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            #expect(victim.wait(for: "event=job.completed"))
            let survivor = try cluster.start("worker", ["-j", "2", "--null-renderer", "--name", "survivor"])
            victim.send(SIGKILL)
            let ended = submit.wait(seconds: 300)
            #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            #expect(try ended.last("completed") == 120)
            #expect(cluster.wait { cluster.shownPhotos.count == 120 })
            for role in [coordinator, catalogue, survivor] {
                role.send(SIGTERM)
                let end = role.wait(seconds: 120)
                #expect(end.status == 0, "\(end.errors.suffix(2000))")
            }
            let verified = try cluster.run("library", ["verify", "--library", cluster.library.path], connects: false)
            #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
        }

        @Test("pauses, resumes and drains on an operator's command")
        func commands() async throws { try await obeyCommands(on: .mock) }

        @Test("pauses, resumes and drains over a real Kafka on an operator's command", .night, .needs(.kafka))
        func commandsOverKafka() async throws { try await obeyCommands(on: .kafka) }

        private func obeyCommands(on broker: ClusterBroker) async throws {
            let cluster = try TestCluster(broker)
            try cluster.makeSources(40)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            #expect(roles[0].wait(for: "event=role.started"))
            #expect(try cluster.run("pause").status == 0)
            #expect(roles[0].wait(for: "pause everything"))
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer", "--name", "obedient"])
            #expect(worker.wait(for: "event=worker.paused"))
            let submitted = try cluster.run("submit", ["archive/shoot", "--json"])
            let batch = try #require(submitted.field("batch") as? String)
            #expect(try cluster.waitForStatus(batch) { $0["open"] as? Int == 40 })
            #expect(try cluster.run("pause", [String(batch.prefix(8))]).status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["state"] as? String == "paused" })
            #expect(try cluster.run("resume").status == 0)
            #expect(worker.wait(for: "event=worker.resumed"))
            // Records from before the pause are obsolete: the worker takes them, and renders none.
            #expect(try await cluster.waitUntilFinished(Topics.bulkJobs))
            #expect(!worker.errorsSoFar.contains("event=job.completed") && cluster.shownPhotos.isEmpty)
            #expect(try cluster.run("resume", [String(batch.prefix(8))]).status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 40 })
            #expect(cluster.wait { cluster.shownPhotos.count == 40 })
            let drained = try cluster.run("drain", ["obedient", "--wait"])
            #expect(drained.status == 0, "\(drained.errors)")
            #expect(worker.wait(seconds: 120).status == 0)
            #expect(
                worker.errorsSoFar.components(separatedBy: "event=job.completed").count == 41, "none is rendered twice")
        }

        @Test("ends soon and cleanly, although it never reached its brokers")
        func withoutCluster() throws {
            let workspace = try Workspace()
            let library = workspace.folder.appending(path: "library").path
            // A worker creates no library: a missing folder may be a missing mount.
            try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
            let roles = try ["coordinator", "worker", "catalogue"].map { role in
                let folders = role == "catalogue" ? ["--library", library] : ["--root", "library=\(library)"]
                return try Running([role, "--broker", "kafka://127.0.0.1:1"] + folders)
            }
            for role in roles { #expect(role.wait(for: "event=kafka.problem")) }
            for role in roles { role.send(SIGTERM) }
            // A request to a missing cluster takes 30 s to fail.
            let deadline = Date.now + 25
            for role in roles {
                let ended = role.wait(seconds: max(0, deadline.timeIntervalSinceNow))
                #expect(ended.status == 0, "\(ended.errors)")
            }
        }

        @Test("refuses an order for a root unknown to the coordinator, and reports it")
        func unknownRoot() throws {
            let cluster = try TestCluster(.mock)
            let coordinator = try cluster.start("coordinator")
            #expect(coordinator.wait(for: "event=role.started"))
            let ended = try cluster.run("submit", ["elsewhere/2019", "--wait"])
            #expect(ended.status == 64 && ended.output.contains("no root elsewhere"), "\(ended.output) \(ended.errors)")
        }

        @Test("accepts an order while no coordinator runs, and a killed coordinator continues")
        func killedCoordinator() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(60)
            let batch = try #require(try cluster.run("submit", ["archive/shoot", "--json"]).field("batch") as? String)
            let catalogue = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            let first = try cluster.start("coordinator")
            #expect(worker.wait(for: "event=job.completed"))
            first.send(SIGKILL)
            _ = first.wait(seconds: 10)
            let second = try cluster.start("coordinator")
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 60 })
            #expect(cluster.wait { cluster.shownPhotos.count == 60 })
            withExtendedLifetime([catalogue, worker, second]) {}
        }

        @Test("has one coordinator: neither a second one nor a run on one machine works in its library")
        func oneCoordinator() throws {
            let cluster = try TestCluster(.mock)
            let elsewhere = ["--state", cluster.folder.appending(path: "ledger").path]
            let first = try cluster.start("coordinator", elsewhere)
            #expect(first.wait(for: "event=role.started"))
            let second = try cluster.start("coordinator").wait(seconds: 180)
            #expect(second.status == 70 && second.errors.contains("another coordinator"), "\(second.errors)")
            let archive = cluster.folder.appending(path: "archive").path
            let run = try cluster.run("convert", [archive, "--library", cluster.library.path], connects: false)
            #expect(run.status == 70 && run.errors.contains("another coordinator"), "\(run.errors)")
        }
    }
}
