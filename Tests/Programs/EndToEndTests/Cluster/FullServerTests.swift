import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

extension ClusterTests {
    @Suite(.needs(.postgreSQL), .needs(.mounting)) struct FullServerTests {
        /// Earlier, it took the lead again every second, and reported that the ledger can be written, until it tried.
        @Test(
            "waits for space if the database server's disk is full, without contradicting itself, and continues automatically",
            .night
        )
        func full() throws {
            let disk = try SmallDisk(bytes: 160 << 20)
            let server = try PostgreSQLServer(in: disk.path)
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(5)
            try cluster.makeSources(300, in: "later")
            let database = ["--database", try server.addressText()]
            let coordinator = try cluster.start("coordinator", database)
            #expect(coordinator.wait(for: "event=coordinator.leads"))
            let catalogue = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            #expect(try cluster.begin("submit", ["archive/shoot", "--wait", "--json"]).wait(seconds: 180).status == 0)

            try disk.fill()
            let later = try cluster.begin("submit", ["archive/later", "--wait", "--json"])
            #expect(coordinator.wait(for: "No space left on device"))
            // Meanwhile it retries.
            usleep(7_000_000)
            #expect(!coordinator.errorsSoFar.contains("event=outage.ended"), "\(coordinator.errorsSoFar.suffix(2000))")
            #expect(!coordinator.errorsSoFar.contains("was cancelled"), "\(coordinator.errorsSoFar.suffix(2000))")
            disk.free()
            #expect(later.wait(seconds: 180).status == 0)
            #expect(coordinator.wait(for: "event=outage.ended"))
            #expect(cluster.wait { cluster.shownPhotos.count == 305 })
            for role in [coordinator, catalogue, worker] {
                role.send(SIGTERM)
                let end = role.wait(seconds: 120)
                #expect(end.status == 0, "\(end.errors.suffix(2000))")
            }
        }
    }
}
