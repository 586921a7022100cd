import ExternalTools
import Foundation
import Glibc
import Testing

extension ClusterTests {
    @Suite(.needs(.mounting)) struct FullLedgerTests {
        @Test("waits for space if the ledger's disk is full, even at its start, and nothing is lost", .night)
        func full() throws {
            let disk = try SmallDisk(bytes: 8 << 20)
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(5)
            try cluster.makeSources(300, in: "later")
            let options = ["--state", disk.path]
            let first = try cluster.start("coordinator", options)
            let catalogue = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            #expect(try cluster.begin("submit", ["archive/shoot", "--wait", "--json"]).wait(seconds: 180).status == 0)

            try disk.fill()
            let later = try cluster.begin("submit", ["archive/later", "--wait", "--json"])
            #expect(first.wait(for: "event=storage.unavailable"))
            #expect(
                first.isRunning && first.errorsSoFar.contains("the coordinator then continues"), "\(first.errorsSoFar)")
            first.send(SIGKILL)
            _ = first.wait(seconds: 60)
            let second = try cluster.start("coordinator", options)
            #expect(second.wait(for: "event=storage.unavailable"))
            disk.free()
            #expect(later.wait(seconds: 180).status == 0)
            #expect(second.wait(for: "event=outage.ended"))
            #expect(cluster.wait { cluster.shownPhotos.count == 305 })
            for role in [second, catalogue, worker] {
                role.send(SIGTERM)
                let end = role.wait(seconds: 120)
                #expect(end.status == 0, "\(end.errors.suffix(2000))")
            }
            let audit = try cluster.run(
                "audit", ["--library", cluster.library.path, "--state", disk.path], connects: false)
            #expect(audit.status == 0, "\(audit.output) \(audit.errors)")
        }
    }
}
