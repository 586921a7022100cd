import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

extension ClusterTests {
    /// Edits, moves in histories, and albums while a cluster's cataloguers write the same library.
    @Suite(.needs(.postgreSQL)) struct ClusterEditTests {
        /// A cluster with two photos in a library on a server.
        private func cluster(_ kind: ClusterBroker) throws -> TestCluster {
            let cluster = try TestCluster(kind)
            let raws = cluster.folder.appending(path: "archive/shoot")
            let made = try Rawmill.run("sample", "--out", raws.path, "--count", "2", "--megapixels", "0.1")
            try #require(made.status == 0, "\(made.errors)")
            let address = try PostgreSQLServer.shared.get().addressText()
            let catalogues = try (0..<2).map { _ in try cluster.start("catalogue", ["--database", address]) }
            try #require(cluster.wait { cluster.hasTables }, "\(catalogues.map(\.errorsSoFar))")
            _ = try [cluster.start("coordinator"), cluster.start("worker", ["-j", "1"])]
            try cluster.submit("archive/shoot", ["--wait"])
            try #require(cluster.shownPhotos.count == 2)
            return cluster
        }

        @Test(
            "The page edits photos through the workers, moves in histories, and changes albums, beside two cataloguers; so does a rescan"
        )
        func page() throws {
            let cluster = try cluster(.mock)
            let server = try PageServer(
                try cluster.begin(
                    "serve", ["--library", cluster.library.path, "--listen", "127.0.0.1:0", "-j", "1"]))
            #expect(try server.json("GET", "/v1/session")["canEdit"] as? Bool == true)
            let photos = try server.photos().compactMap { $0["id"] as? String }
            try #require(photos.count == 2)

            // A library's own look gets its version from the coordinator.
            let changes: [String: Any] = ["look": "nocturne", "grain": 0.4, "exposure": 0.5]
            let order = try server.json("POST", "/v1/photos/edit", ["photos": photos, "changes": changes])
            #expect(order["order"] as? String != nil, "\(order)")
            try server.wait { try server.photos().allSatisfy { !photos.contains($0["id"] as? String ?? "") } }
            // Files follow their rows.
            try server.wait { cluster.shownPhotos.allSatisfy { !$0.contains("neutral") } }
            #expect(cluster.shownPhotos.count == 2)

            let edited = try server.photos().compactMap { $0["id"] as? String }
            _ = try server.json("POST", "/v1/photos/undo", ["photos": edited])
            #expect(Set(try server.photos().compactMap { $0["id"] as? String }) == Set(photos))
            _ = try server.json("POST", "/v1/photos/redo", ["photos": [photos[0]]])
            #expect(try server.photos().contains { edited.contains($0["id"] as? String ?? "") })

            #expect(try server.send("POST", "/v1/albums", Data(#"{"name":"best"}"#.utf8)).status < 300)
            _ = try server.json("POST", "/v1/albums/add", ["name": "best", "photos": [photos[1]]])
            let listed = try Rawmill.run(
                "library", "list", "--where", "album = 'best'", "--count", "--library", cluster.library.path)
            #expect(listed.output == "1\n", "\(listed.errors)")

            // A new order replaces the choice, which stays in the history.
            try cluster.submit("archive/shoot", ["--look", "velvet", "--wait"])
            try server.wait { try server.photos("look=velvet").count == 2 }
            #expect(server.stop().status == 0)

            // Workers take over metadata that is later added beside a RAW, once.
            let packet = """
                <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
                <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
                """
            try Data(packet.utf8).write(to: cluster.folder.appending(path: "archive/shoot/sample-0001.dng.xmp"))
            for changed in [1, 0] {
                let ended = try cluster.run(
                    "library",
                    ["rescan", "--where", "look = 'velvet'", "--library", cluster.library.path, "--json"])
                #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
                #expect(try ended.events("rescanned").first?["changed"] as? Int == changed)
            }
            let rated = try Rawmill.run(
                "library", "list", "--where", "rating = 4", "--count", "--library", cluster.library.path)
            #expect(rated.output == "1\n", "\(rated.errors)")
            let verified = try Rawmill.run("library", "verify", "--library", cluster.library.path)
            #expect(verified.status == 0, "\(verified.output)")
        }

        @Test(
            "The command edits through the workers of a real Kafka's cluster, and undo and albums work beside its cataloguers",
            .needs(.kafka))
        func command() throws {
            let cluster = try cluster(.kafka)
            func run(_ arguments: String...) throws -> Rawmill.Ended {
                try Rawmill.run(arguments + ["--library", cluster.library.path])
            }
            let edited = try cluster.run(
                "edit",
                [
                    "--where", "width > 1", "--look", "mono", "--json", "--library", cluster.library.path,
                    "--root", "archive=\(cluster.folder.appending(path: "archive").path)",
                ])
            #expect(edited.status == 0, "\(edited.errors)")
            // The command's machine sees the RAWs.
            let kinds = try edited.events.compactMap { $0["event"] as? String }
            #expect(kinds == ["preview", "preview", "photo", "photo"])
            #expect(cluster.shownPhotos.allSatisfy { $0.hasSuffix(".mono.jpg") } && cluster.shownPhotos.count == 2)
            // Renditions of the library are not rendered again.
            let again = try cluster.run(
                "edit", ["--where", "width > 1", "--look", "mono", "--library", cluster.library.path])
            #expect(again.status == 0, "\(again.errors)")
            #expect(try run("undo", "--where", "width > 1").status == 0)
            #expect(cluster.shownPhotos.allSatisfy { !$0.contains(".mono.") })
            #expect(try run("album", "create", "best").status == 0)
            #expect(try run("album", "add", "best", "--where", "width > 1").output == "added 2 photographs\n")
            #expect(try run("library", "verify").status == 0)
        }
    }
}
