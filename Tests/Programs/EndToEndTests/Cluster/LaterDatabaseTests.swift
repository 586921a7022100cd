import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

extension ClusterTests {
    @Suite(.needs(.postgreSQL)) struct LaterDatabaseTests {
        @Test("makes a new library's tables once its server is available, although it was away when the roles started")
        func away() throws {
            let server = try PostgreSQLServer()
            let database = ["--database", try server.addressText()]
            try server.kill()
            let cluster = try TestCluster(.mock)
            try cluster.makeSources(5)
            let roles = try [cluster.start("coordinator", database), cluster.start("catalogue", database)]
            #expect(roles[0].wait(for: "event=database.unavailable"))
            #expect(roles[1].wait(for: "event=storage.unavailable"))
            try server.start()
            #expect(roles[0].wait(for: "event=coordinator.leads"))
            for role in roles { #expect(role.wait(for: "event=outage.ended"), "\(role.errorsSoFar)") }
            let worker = try cluster.start("worker", ["-j", "1", "--null-renderer"])
            let submit = try cluster.begin("submit", ["archive/shoot", "--wait", "--json"])
            #expect(submit.wait(seconds: 180).status == 0)
            #expect(cluster.wait { cluster.shownPhotos.count == 5 })
            for role in roles + [worker] {
                role.send(SIGTERM)
                #expect(role.wait(seconds: 120).status == 0)
            }
        }

        @Test("ends with SIGTERM while it waits for a new library's server")
        func end() throws {
            let server = try PostgreSQLServer()
            let database = ["--database", try server.addressText()]
            try server.kill()
            let cluster = try TestCluster(.mock)
            for role in try [cluster.start("coordinator", database), cluster.start("catalogue", database)] {
                #expect(role.wait(for: "unavailable"))
                role.send(SIGTERM)
                #expect(role.wait(seconds: 20).status == 0, "\(role.errorsSoFar)")
            }
        }

        @Test("ends at once if a new library's server refuses access", arguments: ["coordinator", "catalogue"])
        func refused(role: String) throws {
            let cluster = try TestCluster(.mock)
            let address = try PostgreSQLServer.shared.get().addressText().replacing("rawmill@", with: "nobody_known@")
            let ended = try cluster.start(role, ["--database", address]).wait(seconds: 60)
            #expect(ended.status != 0 && ended.errors.contains("Check the user"), "\(ended.errors)")
        }
    }
}
