import Broker
import ExternalTools
import Foundation
import KafkaBroker
import Testing

extension ClusterTests {
    @Suite(.serialized, .needs(.kafka)) struct TopicTrimTests {
        @Test("Finished records are deleted while the cluster works, without affecting it")
        func trim() async throws {
            let cluster = try TestCluster(.kafka)
            for (name, count) in [("first", 60), ("second", 20), ("third", 10)] {
                try cluster.makeSources(count, in: name)
            }
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            var roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            try await convert("first", photos: 60, cluster)
            let options = ["trim", "--keep", "5", "--library", cluster.library.path]

            let dry = try cluster.run("topics", options)
            #expect(dry.status == 0 && dry.output.contains("Nothing was deleted: add --yes."), "\(dry)")
            #expect(try await oldest(Topics.bulkJobs, cluster) == [0, 0, 0, 0])

            let done = try cluster.run("topics", options + ["--yes", "--json"])
            #expect(done.status == 0, "\(done)")
            let deleted = Dictionary(
                uniqueKeysWithValues: try done.events("topic").map { ($0["topic"] as? String, $0["records"] as? Int) })
            // 60 jobs in four partitions, of which five stay in each.
            #expect(deleted[Topics.bulkJobs] == 40 && deleted[Topics.retry] == 0, "\(done.output)")
            #expect(deleted[Topics.manifests] == nil && deleted[Topics.deadLetter] == nil)
            #expect(try await oldest(Topics.bulkJobs, cluster).reduce(0, +) == 40)
            #expect(try await oldest(Topics.manifests, cluster).reduce(0, +) == 0)

            try await convert("second", photos: 80, cluster)
            let again = try cluster.run("topics", ["trim", "--keep", "1", "--library", cluster.library.path, "--yes"])
            #expect(again.status == 0 && again.output.contains("deleted 36 records of rawmill.jobs.bulk"), "\(again)")
            #expect(try await oldest(Topics.results, cluster).reduce(0, +) > 0)

            // The roles' records about the topics are deleted, but the topics are still theirs.
            for role in roles {
                role.send(SIGTERM)
                #expect(role.wait(seconds: 60).status == 0)
            }
            roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            try await convert("third", photos: 90, cluster)
            #expect(try await cluster.records(of: Topics.manifests).count == 90, "nothing was rendered twice")
            let state = ["--library", cluster.library.path, "--broker", "kafka://\(cluster.servers)"]
            #expect(try cluster.wait { try cluster.run("audit", state, connects: false).status == 0 })
            for role in roles + [worker] {
                #expect(!role.errorsSoFar.contains("replaced"), "\(role.errorsSoFar.suffix(2000))")
            }
        }

        @Test("A library that does not own the topics, and one without a ledger, decide nothing about them")
        func otherLibrary() async throws {
            let cluster = try TestCluster(.kafka)
            try cluster.makeSources(3)
            let roles = try [
                cluster.start("coordinator"), cluster.start("catalogue"),
                cluster.start("worker", ["-j", "1", "--null-renderer"]),
            ]
            try await convert("shoot", photos: 3, cluster)
            let other = cluster.folder.appending(path: "other").path
            let none = try cluster.run("topics", ["trim", "--library", other, "--yes"])
            #expect(none.status != 0 && none.errors.contains("there is no ledger in"), "\(none)")
            let sample = try Rawmill.run("sample", "--out", "\(other)-raw", "--count", "1", "--megapixels", "0.1")
            #expect(sample.status == 0)
            #expect(try Rawmill.run("convert", "\(other)-raw", "--library", other).status == 0)
            let refused = try cluster.run("topics", ["trim", "--library", other, "--yes"])
            #expect(refused.status != 0 && refused.errors.contains("do not belong to the library"), "\(refused)")
            withExtendedLifetime(roles) {}
        }

        private func convert(_ folder: String, photos: Int, _ cluster: TestCluster) async throws {
            try cluster.submit("archive/\(folder)", ["--wait"])
            #expect(cluster.wait { cluster.shownPhotos.count == photos })
            #expect(try await cluster.waitUntilFinished(Topics.bulkJobs))
        }

        private func oldest(_ topic: String, _ cluster: TestCluster) async throws -> [Int64] {
            let transport = try cluster.transport()
            let ranges = try await transport.watermarks(topic: topic)
            await transport.close()
            return ranges.sorted { $0.key < $1.key }.map(\.value.lowerBound)
        }
    }
}
