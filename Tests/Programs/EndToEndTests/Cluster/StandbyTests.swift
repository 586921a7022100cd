import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

extension ClusterTests {
    @Suite(.needs(.postgreSQL)) struct StandbyTests {
        /// Others must notice that a coordinator is gone or hangs.
        private static let takeOver = 30.0

        @Test(
            "shares a library between two cataloguers, of which one is killed: nothing is lost or duplicated"
        )
        func cataloguers() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(150)
            let database = ["--database", try PostgreSQLServer.shared.get().addressText()]
            let coordinator = try cluster.start("coordinator", database)
            #expect(coordinator.wait(for: "event=coordinator.leads"))
            let cataloguers = try (0..<2).map { _ in try cluster.start("catalogue") }
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            for cataloguer in cataloguers { #expect(cataloguer.wait(for: "event=manifest.merged")) }
            cataloguers[0].send(SIGKILL)
            #expect(submit.wait(seconds: 180).status == 0)
            #expect(cluster.wait { cluster.shownPhotos.count == 150 })
            for role in [coordinator, worker, cataloguers[1]] { role.send(SIGTERM) }
            for role in [coordinator, worker, cataloguers[1]] {
                let end = role.wait(seconds: 120)
                #expect(end.status == 0, "\(end.errors.suffix(2000))")
            }
            for command in [["audit"], ["library", "verify"]] {
                let ended = try cluster.run(
                    command[0], command.dropFirst() + ["--library", cluster.library.path], connects: false)
                #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            }
        }

        @Test(
            "continues with a second coordinator when the first is killed, and when one is stopped, which does no harm when it resumes",
            .night
        )
        func standby() throws {
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(30)
            try cluster.makeSources(30, in: "later")
            let database = ["--database", try PostgreSQLServer.shared.get().addressText()]
            let first = try cluster.start("coordinator", database)
            #expect(first.wait(for: "event=coordinator.leads"))
            let second = try cluster.start("coordinator", database)
            #expect(
                second.wait(for: "event=coordinator.stands-by")
                    && second.errorsSoFar.contains("process \(first.identifier) on"))
            let catalogue = try cluster.start("catalogue", database)
            let worker = try cluster.start("worker", ["-j", "2", "--null-renderer"])
            let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            #expect(worker.wait(for: "event=job.completed"))
            first.send(SIGKILL)
            #expect(second.wait(for: "event=coordinator.leads", seconds: Self.takeOver))
            #expect(submit.wait(seconds: 180).status == 0)

            let third = try cluster.start("coordinator")
            #expect(third.wait(for: "event=coordinator.stands-by"))
            let later = try cluster.begin("submit", ["archive/later", "--wait", "--json"])
            #expect(second.wait(for: "event=plan.started") || second.errorsSoFar.contains("later"))
            second.send(SIGSTOP)
            #expect(third.wait(for: "event=coordinator.leads", seconds: Self.takeOver))
            second.send(SIGCONT)
            #expect(second.wait(for: "event=coordinator.steps-down"))
            #expect(later.wait(seconds: 180).status == 0)
            #expect(cluster.wait { cluster.shownPhotos.count == 60 })

            // Any node can ask; nothing was lost or counted twice.
            for command in ["audit", "status"] {
                let ended = try cluster.run(
                    command, ["--library", cluster.library.path, "--json"], connects: false)
                #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
            }
            for role in [second, third, catalogue, worker] { role.send(SIGTERM) }
            for role in [second, third, catalogue, worker] {
                let end = role.wait(seconds: 120)
                #expect(end.status == 0, "\(end.errors.suffix(2000))")
            }
        }

        @Test("continues when the library's server was away, also with a ledger in its own file")
        func ownLedger() throws {
            let server = try PostgreSQLServer()
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(5)
            let catalogue = try cluster.start("catalogue", ["--database", try server.addressText()])
            #expect(catalogue.wait(for: "event=role.started"))
            #expect(cluster.wait { cluster.hasTables })
            let coordinator = try cluster.start(
                "coordinator", ["--state", cluster.folder.appending(path: "ledger").path])
            #expect(coordinator.wait(for: "event=coordinator.leads"))
            let second = try cluster.start("coordinator")
            #expect(second.wait(for: "event=coordinator.stands-by"))
            second.send(SIGTERM)
            #expect(second.wait(seconds: 60).status == 0)
            try server.kill()
            #expect(coordinator.wait(for: "event=coordinator.steps-down"))
            try server.start()
            #expect(coordinator.wait(for: "event=outage.ended"))
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
            let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            #expect(submit.wait(seconds: 180).status == 0)
            #expect(cluster.wait { cluster.shownPhotos.count == 5 })
            for role in [coordinator, catalogue, worker] {
                role.send(SIGTERM)
                #expect(role.wait(seconds: 120).status == 0)
            }
        }
    }
}
