import Broker
import ExternalTools
import Foundation
import Glibc
import KafkaBroker
import Testing

extension ClusterTests {
    /// A topic is deleted and recreated in a running Kafka, and has more records than a role had read of the former one
    /// when the role continues.
    @Suite(
        .serialized, .needs(.kafka),
        .enabled(
            if: KafkaLibrary.survivesRecreatedTopics,
            "librdkafka \(KafkaLibrary.version) may crash when a topic is deleted and created again"))
    struct RecreatedTopicTests {
        @Test("A coordinator that returns to a new control topic also obeys its first command")
        func control() throws {
            let cluster = try TestCluster(.kafka)
            for name in ["first", "second", "third"] { try cluster.makeSources(5, in: name) }
            let others = try [cluster.start("catalogue"), cluster.start("worker", ["-j", "1", "--null-renderer"])]
            let coordinator = try cluster.start("coordinator")
            try cluster.submit("archive/first")
            #expect(cluster.wait { cluster.shownPhotos.count == 5 }, "\(coordinator.errorsSoFar)")
            coordinator.send(SIGKILL)
            _ = coordinator.wait(seconds: 10)
            try cluster.recreate(topic: Topics.control)
            try cluster.submit("archive/second")
            try cluster.submit("archive/third")
            let next = try cluster.start("coordinator")
            #expect(cluster.wait { cluster.shownPhotos.count == 15 }, "\(next.errorsSoFar)")
            withExtendedLifetime(others) {}
        }

        @Test(
            "A cataloguer that returns to a new manifests topic merges all of it, and reports it to the ledger", .night)
        func manifests() async throws {
            let cluster = try TestCluster(.kafka)
            try cluster.makeSources(40, in: "first")
            try cluster.makeSources(100, in: "second")
            let others = try [cluster.start("coordinator"), cluster.start("worker", ["-j", "2", "--null-renderer"])]
            let cataloguer = try cluster.start("catalogue")
            try cluster.submit("archive/first")
            #expect(cluster.wait { cluster.shownPhotos.count == 40 }, "\(cataloguer.errorsSoFar)")
            let state = ["--library", cluster.library.path, "--json"]
            #expect(try cluster.wait { try cluster.run("audit", state).status == 0 })
            cataloguer.send(SIGKILL)
            _ = cataloguer.wait(seconds: 10)
            try cluster.recreate(topic: Topics.manifests)
            let batch = try cluster.submit("archive/second")
            #expect(try await cluster.records(of: Topics.manifests, atLeast: 100).count >= 100)
            let next = try cluster.start("catalogue")
            #expect(cluster.wait { cluster.shownPhotos.count == 140 }, "\(next.errorsSoFar)")
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 100 })
            // Nothing was rendered twice because its manifest was overlooked.
            #expect(try await cluster.records(of: Topics.manifests).count == 100)
            #expect(try cluster.wait { try cluster.run("audit", state).last("waitForCataloguer") == 0 })
            withExtendedLifetime(others) {}
        }
    }
}
