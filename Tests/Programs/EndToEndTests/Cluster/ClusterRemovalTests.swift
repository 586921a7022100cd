import Foundation
import Testing

extension ClusterTests {
    /// `rawmill library remove` in the library of a working cluster.
    @Suite struct ClusterRemovalTests {
        @Test("A cataloguer blocks it; photos removed beside workers are rendered again when submitted")
        func removal() async throws {
            let cluster = try TestCluster(.mock)
            for name in ["first", "second"] { try cluster.makeSources(5, in: name) }
            let coordinator = try cluster.start("coordinator")
            let cataloguer = try cluster.start("catalogue")
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
            let first = try cluster.submit("archive/first")
            #expect(try cluster.waitForStatus(first) { $0["completed"] as? Int == 5 })
            #expect(cluster.wait { cluster.shownPhotos.count == 5 })
            let photo = "\(cluster.library.path)/photos/archive/first/IMG_3.neutral.jpg"
            let removal = ["remove", photo, "--yes", "--json", "--library", cluster.library.path]
            let busy = try cluster.run("library", removal, connects: false)
            #expect(busy.status == 70 && busy.errors.contains("\(cataloguer.identifier)"), "\(busy.errors)")
            #expect(cluster.shownPhotos.count == 5)

            // Its manifests wait while the cataloguer is away; the workers continue.
            cataloguer.send(SIGTERM)
            #expect(cataloguer.wait(seconds: 60).status == 0)
            let second = try cluster.submit("archive/second")
            let removed = try cluster.run("library", removal, connects: false)
            #expect(removed.status == 0, "\(removed.errors)")
            #expect(try removed.events("summary").first?["photos"] as? Int == 1)
            #expect(try await cluster.waitUntilFinished("rawmill.jobs.bulk"))
            let next = try cluster.start("catalogue")
            #expect(try cluster.waitForStatus(second) { $0["completed"] as? Int == 5 }, "\(next.errorsSoFar)")
            #expect(cluster.wait { cluster.shownPhotos.count == 9 })
            let state = ["--library", cluster.library.path, "--json"]
            let audited = try cluster.run("audit", state)
            #expect(audited.status == 0, "\(audited.output)")

            // The coordinator has learned of it.
            let again = try cluster.submit("archive/first")
            #expect(
                try cluster.waitForStatus(again) { $0["completed"] as? Int == 1 && $0["unchanged"] as? Int == 4 },
                "\(coordinator.errorsSoFar)")
            #expect(cluster.wait { cluster.shownPhotos.count == 10 })
            #expect(try cluster.run("audit", state).status == 0)
            withExtendedLifetime(worker) {}
        }
    }
}
