import Foundation
import Testing

extension ClusterTests {
    /// `rawmill serve --broker`: a cluster behind the page.
    @Suite struct ServedClusterTests {
        @Test("The page shows a cluster's batches, workers, failures and photos, and sends orders to its coordinator")
        func page() throws {
            let cluster = try TestCluster(.mock)
            let raws = cluster.folder.appending(path: "archive/shoot")
            let made = try Rawmill.run("sample", "--out", raws.path, "--count", "3", "--megapixels", "0.1")
            try #require(made.status == 0, "\(made.errors)")
            try Data("II*\0 no picture".utf8).write(to: raws.appending(path: "broken.dng"))
            let roles = try [cluster.start("coordinator"), cluster.start("catalogue")]
            try #require(cluster.wait { cluster.hasTables }, "\(roles.map(\.errorsSoFar))")
            let server = try PageServer(
                try cluster.begin(
                    "serve", ["--library", cluster.library.path, "--listen", "127.0.0.1:0", "-j", "1"]))

            let session = try server.json("GET", "/v1/session")
            #expect(session["mode"] as? String == "cluster" && session["canEdit"] as? Bool == false)
            let batch = try cluster.submit("archive/shoot")
            func shown() throws -> [String: Any]? {
                let batches = try server.json("GET", "/v1/batches")["batches"] as? [[String: Any]]
                return batches?.first { $0["id"] as? String == batch }
            }
            try server.wait { try shown()?["open"] as? Int == 4 }
            #expect(try server.json("POST", "/v1/batches/\(batch)/pause")["state"] as? String == "paused")
            let worker = try cluster.start("worker", ["-j", "1", "--name", "first"])
            func workers() throws -> [[String: Any]] {
                try #require(try server.json("GET", "/v1/workers")["workers"] as? [[String: Any]])
            }
            try server.wait { try workers().first?["name"] as? String == "first" }
            let first = try #require(try workers().first)
            #expect(first["node"] as? String == ProcessInfo.processInfo.hostName)
            #expect(first["memoryBytes"] as? Int ?? 0 > 1_000_000)
            #expect(try shown()?["open"] as? Int == 4)
            _ = try server.json("POST", "/v1/batches/\(batch)/resume")
            try server.wait { try shown()?["state"] as? String == "completed" }
            let counts = try #require(try shown())
            #expect(counts["catalogued"] as? Int == 3 && counts["failed"] as? Int == 1)
            #expect(try server.photos().count == 3)
            try server.wait { try server.json("GET", "/v1/now")["completed"] as? Int == 3 }

            let groups = try #require(try server.json("GET", "/v1/failures")["groups"] as? [[String: Any]])
            let file = try #require((groups.first?["files"] as? [[String: Any]])?.first)
            #expect(file["file"] as? String == "archive/shoot/broken.dng")
            #expect(try server.json("POST", "/v1/failures/retry", [:])["retried"] as? Int == 1)

            // The workers develop files dropped on the page.
            try #require(
                Rawmill.run(
                    "sample", "--out", "\(cluster.folder.path)/card", "--count", "1", "--first", "9", "--megapixels",
                    "0.1"
                )
                .status == 0)
            let raw = try Data(contentsOf: cluster.folder.appending(path: "card/sample-0009.dng"))
            let drop = try #require(
                try server.json("POST", "/v1/drops", ["files": 1, "look": "mono"])["drop"] as? String)
            let upload = try server.beginUpload(drop, 0, "card.dng", byteCount: raw.count)
            #expect(try server.patch(upload, at: 0, raw) == 204)
            try server.wait { try server.photos("look=mono").count == 1 }
            func dropped() throws -> [String: Any]? {
                (try server.json("GET", "/v1/drops/\(drop)")["files"] as? [[String: Any]])?.first
            }
            try server.wait { try dropped()?["state"] as? String == "done" }

            // The cataloguer is the only writer.
            let photo = try #require(try server.photos().first?["id"] as? String)
            let body = Data(#"{"photos":["\#(photo)"]}"#.utf8)
            #expect(try server.send("POST", "/v1/photos/undo", body).status == 409)
            _ = try server.json("POST", "/v1/workers/first/drain")
            #expect(worker.wait(seconds: 60).status == 0)
            try server.wait { try workers().isEmpty }
            #expect(try server.send("POST", "/v1/workers/nobody/drain").status == 404)
            #expect(server.stop().status == 0)
        }

        @Test("Without its brokers the page reports it, and still shows the library")
        func unreachable() throws {
            let cluster = try TestCluster(.mock)
            let roles = try [cluster.start("catalogue")]
            try #require(cluster.wait { cluster.hasTables }, "\(roles.map(\.errorsSoFar))")
            cluster.loseBroker()
            let server = try PageServer(
                try cluster.begin("serve", ["--library", cluster.library.path, "--listen", "127.0.0.1:0"]))
            try server.wait { try server.json("GET", "/v1/now")["state"] as? String == "blocked" }
            #expect(try server.photos().isEmpty)
            #expect(server.stop().status == 0)
        }
    }
}
