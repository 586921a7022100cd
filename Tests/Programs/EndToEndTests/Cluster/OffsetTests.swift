import Broker
import Foundation
import Testing

extension ClusterTests {
    /// Skipped and repeated records, as after a reset of a group's offsets.
    @Suite struct OffsetTests {
        @Test("Jobs whose records were skipped are sent again; photos of repeated records are shown once")
        func reset() async throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(20)
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            let batch = try cluster.submit("archive/shoot")
            let sent = try await cluster.records(of: Topics.bulkJobs, atLeast: 20)
            // As after a reset to the latest offset, or if the records expired before they were read.
            try await cluster.passOver(20, of: Topics.bulkJobs)
            #expect(roles[0].wait(for: "event=job.republished"))
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer", "--name", "late"])
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 20 && $0["open"] as? Int == 0 })

            // As after a reset to the earliest offset.
            try await cluster.send(sent, to: Topics.bulkJobs)
            #expect(try await cluster.waitUntilFinished(Topics.bulkJobs))
            #expect(try cluster.waitForStatus(batch) { $0["completed"] as? Int == 20 && $0["open"] as? Int == 0 })
            #expect(cluster.wait { cluster.shownPhotos.count == 20 })
            #expect(try await cluster.records(of: Topics.deadLetter).isEmpty)
            let audit = try cluster.run("audit", ["--library", cluster.library.path])
            #expect(audit.status == 0, "\(audit.output) \(audit.errors)")
            withExtendedLifetime((roles, worker)) {}
        }
    }
}
