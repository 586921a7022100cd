import Database
import ExternalTools
import Foundation
import Testing
import WebClient

extension ClusterTests {
    @Suite("A library with tables of an earlier version") struct EarlierTablesTests {
        /// Another connection blocks the start of the migration, as a slow disk would delay its end.
        @Test("A cataloguer that migrates them is alive, not ready, and reports the migration")
        func probes() throws {
            let workspace = try Workspace()
            let library = workspace.library.path
            try workspace.makeSamples(1)
            try #require(workspace.convert().status == 0)
            let file = try Connection(path: library + "/library.sqlite")
            let version = try file.schemaVersion
            // As before the last step.
            let added = ["lens_name", "exposure_seconds", "aperture", "iso", "focal_length", "focal_length35"]
            try file.script(
                added.map { "ALTER TABLE renditions DROP COLUMN \($0);" }.joined()
                    + "PRAGMA user_version=\(version - 1);")
            let port = try FreePorts.take(1)[0]
            let role = try file.transaction {
                let role = try Running([
                    "catalogue", "--broker", "kafka://127.0.0.1:1", "--library", library,
                    "--listen", "127.0.0.1:\(port)",
                ])
                let isAlive = role.wait(seconds: 8) { Client.get("/healthz", port: port)?.status == 200 }
                #expect(isAlive, "\(role.errorsSoFar)")
                let readiness = Client.get("/readyz", port: port)
                #expect(readiness?.status == 503, "\(String(describing: readiness))")
                return role
            }
            let begins = "event=library.updating role=catalogue"
            #expect(role.wait { role.errorsSoFar.contains(begins) }, "\(role.errorsSoFar)")
            #expect(role.wait { (try? file.schemaVersion) == version }, "\(role.errorsSoFar)")
            role.send(SIGKILL)
            #expect(role.wait(seconds: 60).status == -SIGKILL)
        }
    }
}
