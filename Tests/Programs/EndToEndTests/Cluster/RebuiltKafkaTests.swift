import Broker
import ExternalTools
import Foundation
import Glibc
import KafkaBroker
import Testing

extension ClusterTests {
    /// Kafka is deleted and set up again at the same address, while roles of the old one are alive.
    @Suite(
        .serialized,
        .enabled(
            if: KafkaLibrary.survivesRecreatedTopics,
            "librdkafka \(KafkaLibrary.version) may crash when a topic is deleted and created again"))
    struct RebuiltKafkaTests {
        /// The role is stopped meanwhile, like a suspended machine: it never sees the brokers away. The new topics have
        /// more records than the role had read of the old ones when it continues.
        @Test(
            "A role that was stopped while Kafka was rebuilt reads it from the beginning, and skips nothing", .night,
            .needs(.kafka),
            arguments: ["catalogue", "coordinator", "worker"])
        func underLivingRoles(role: String) async throws {
            let cluster = try TestCluster(.kafka)
            try cluster.makeSources(60, in: "first")
            try cluster.makeSources(150, in: "second")
            var roles: [String: Running] = [:]
            for name in ["coordinator", "catalogue"] { roles[name] = try cluster.start(name) }
            roles["worker"] = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            _ = try cluster.submit("archive/first")
            #expect(cluster.wait { cluster.shownPhotos.count == 60 })

            let stopped = try #require(roles[role])
            stopped.send(SIGSTOP)
            try cluster.rebuildKafka()
            _ = try cluster.run("topics", ["create", "--partitions", "4"])
            _ = try cluster.submit("archive/second")
            switch role {
            // The others do their part: more manifests wait than the cataloguer had read before.
            case "catalogue": #expect(try await cluster.records(of: Topics.manifests, atLeast: 150).count >= 150)
            case "worker": #expect(try await cluster.records(of: Topics.bulkJobs, atLeast: 150).count >= 150)
            default: break
            }
            stopped.send(SIGCONT)
            #expect(cluster.wait { cluster.shownPhotos.count == 210 }, "\(cluster.shownPhotos.count) photos")
            #expect(stopped.wait(for: "event=kafka.replaced"), "\(stopped.errorsSoFar)")

            #expect(try cluster.wait { try cluster.run("status", ["--json"]).events("batch").count == 2 })
            let state = ["--library", cluster.library.path, "--json"]
            #expect(try cluster.wait { try cluster.run("audit", state).status == 0 })
            // A surviving cataloguer reads the new Kafka from its beginning once it has noticed it.
            #expect(try cluster.wait { try cluster.run("audit", state).last("waitForCataloguer") == 0 })
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)
            withExtendedLifetime(roles) {}
        }
    }
}
