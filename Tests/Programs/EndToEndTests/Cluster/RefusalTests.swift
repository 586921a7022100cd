import Broker
import ExternalTools
import Foundation
import Jobs
import Manifests
import Records
import Testing

extension ClusterTests {
    /// Results of workers that the cataloguer refuses.
    @Suite struct RefusalTests {
        @Test("A worker that writes into another library catalogues nothing, is reported, and loses nothing")
        func wrongLibrary() async throws { try await wrongLibrary(.mock) }

        @Test("A worker that writes into another library catalogues nothing, over a real Kafka", .night, .needs(.kafka))
        func wrongLibraryOnKafka() async throws { try await wrongLibrary(.kafka) }

        private func wrongLibrary(_ broker: ClusterBroker) async throws {
            let cluster = try TestCluster(broker)
            try cluster.makeSources(5)
            let coordinator = try cluster.start("coordinator")
            let cataloguer = try cluster.start("catalogue")
            let elsewhere = try makeElsewhere(cluster)
            let astray = try cluster.start(
                "worker", ["-j", "1", "--null-renderer", "--name", "astray"], library: elsewhere.path)
            #expect(astray.wait(for: "event=worker.started"), "\(astray.errorsSoFar)")
            let batch = try cluster.submit("archive/shoot")
            #expect(try cluster.waitForStatus(batch) { $0["refused"] as? Int == 5 }, "\(cataloguer.errorsSoFar)")
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 0 && $0["open"] as? Int == 5 })
            try expectTold(cluster, coordinator)

            // The mount is corrected: another worker, with the cataloguer's library.
            astray.send(SIGKILL)
            _ = astray.wait(seconds: 10)
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer", "--name", "right"])
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 5 }, "\(worker.errorsSoFar)")
            #expect(try cluster.waitForStatus(batch) { $0["state"] as? String == "completed" })
            #expect(cluster.wait { cluster.shownPhotos.count == 5 })
            let audit = try cluster.run("audit", ["--library", cluster.library.path])
            #expect(audit.status == 0, "\(audit.output) \(audit.errors)")
            // Only now a second order finds nothing to do.
            let again = try cluster.submit("archive/shoot", ["--wait"])
            #expect(try cluster.waitForStatus(again) { $0["unchanged"] as? Int == 5 && $0["accepted"] as? Int == 0 })
        }

        /// A folder that a worker takes for the library: a copy that no other role sees.
        private func makeElsewhere(_ cluster: TestCluster) throws -> URL {
            let elsewhere = cluster.folder.appending(path: "elsewhere")
            #expect(cluster.wait { FileManager.default.fileExists(atPath: cluster.library.path + "/library.sqlite") })
            try FileManager.default.createDirectory(
                at: elsewhere.appending(path: ".rawmill"), withIntermediateDirectories: true)
            // The copy has the library's own mark, as a restored backup would have.
            for name in try FileManager.default.contentsOfDirectory(atPath: cluster.library.path + "/.rawmill") {
                guard name.hasSuffix(".id") else { continue }
                try FileManager.default.copyItem(
                    atPath: cluster.library.path + "/.rawmill/\(name)", toPath: elsewhere.path + "/.rawmill/\(name)")
            }
            return elsewhere
        }

        /// Status, audit and log name the refused files and the reason.
        private func expectTold(_ cluster: TestCluster, _ coordinator: Running) throws {
            let named = try cluster.run("status", ["--library", cluster.library.path, "--json"], connects: false)
            let refused = try named.events("refused")
            #expect(
                refused.count == 5 && refused.allSatisfy { $0["reason"] as? String == "missing-file" },
                "\(named.output)")
            let words = try cluster.run("status").output
            #expect(words.contains("5 open jobs were refused by the library and"), "\(words)")
            let audit = try cluster.run("audit", ["--library", cluster.library.path, "--json"])
            #expect(audit.status == 3)
            let kinds = try audit.events("finding").compactMap { $0["kind"] as? String }
            #expect(kinds == [String](repeating: "refused-by-library", count: 5), "\(audit.output)")
            #expect(coordinator.errorsSoFar.contains("event=job.refused"), "\(coordinator.errorsSoFar)")
        }

        @Test("An audit finds a job that a forged manifest gave another job's photo")
        func forged() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(1, in: "honest")
            try cluster.makeSources(1, in: "victims")
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
            let honest = try cluster.submit("archive/honest")
            #expect(try cluster.waitForStatus(honest) { $0["completed"] as? Int == 1 })
            worker.send(SIGKILL)
            _ = worker.wait(seconds: 10)
            let made = try #require(try await cluster.records(of: Topics.manifests, atLeast: 1).first?.value)
            let victims = try cluster.submit("archive/victims")
            #expect(try cluster.waitForStatus(victims) { $0["open"] as? Int == 1 })
            let jobs = try await cluster.records(of: Topics.bulkJobs, atLeast: 2).map {
                try Job(record: $0.value ?? [])
            }
            let victim = try #require(jobs.first { "\($0.source.raw.file)".contains("victims") })
            let forged = Manifest(
                ending: victim, attempts: 1, worker: "forger", finishedMilliseconds: 1,
                outcome: try Manifest(record: made).outcome)
            try await cluster.send([Record(key: [1], value: forged.encoded())], to: Topics.manifests)
            #expect(try cluster.waitForStatus(victims) { $0["completed"] as? Int == 1 })
            let audit = try cluster.run("audit", ["--library", cluster.library.path, "--json"])
            let findings = try audit.events("finding")
            #expect(audit.status == 3 && findings.count == 1, "\(audit.output)")
            #expect(findings.first?["kind"] as? String == "made-from-other-raw")
            #expect("\(findings)".contains("victims/IMG_0.CR2"))
            withExtendedLifetime(roles) {}
        }

        @Test("A cancelled batch cannot be resumed, and files that an order left out are named")
        func cancelledAndLeftOut() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(2)
            try FileManager.default.createSymbolicLink(
                atPath: cluster.folder.path + "/archive/shoot/link.CR2", withDestinationPath: "/etc/hostname")
            let coordinator = try cluster.start("coordinator")
            let batch = try cluster.submit("archive/shoot", ["archive/gone"])
            #expect(
                try cluster.waitForStatus(batch) { $0["open"] as? Int == 2 && $0["missing"] as? Int == 1 },
                "\(coordinator.errorsSoFar)")
            #expect(try cluster.waitForStatus(batch) { $0["links"] as? Int == 1 })
            let named = try cluster.run("status", ["--library", cluster.library.path, "--json"], connects: false)
            let problems = try named.events("problem").compactMap { $0["message"] as? String }
            #expect(
                problems.count == 2 && problems.contains { $0.contains("archive/gone does not exist") }, "\(problems)")
            #expect(problems.contains { $0.contains("link.CR2 is a link") })

            #expect(try cluster.run("cancel", [batch]).status == 0)
            #expect(try cluster.waitForStatus(batch) { $0["state"] as? String == "cancelled" })
            let resumed = try cluster.run("resume", [batch])
            #expect(resumed.status != 0 && resumed.errors.contains("was cancelled"), "\(resumed.errors)")
        }
    }
}
