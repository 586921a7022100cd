import ExternalTools
import Foundation
import SimulatedImmich
import Testing

/// `rawmill album publish`, to a server that strictly implements Immich's interface.
@Suite(.needs(.program("python3"))) struct AlbumPublishTests {
    private static let key = "a-key-that-nobody-may-see"
    private let workspace: Workspace
    private let album = "Zürich: ’24"

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert("--long-edge", "200").status == 0)
        #expect(try workspace.convert("--long-edge", "200", "--look", "mono").status == 0)
        #expect(try run("create", album).status == 0)
        #expect(try run("add", album, "--where", "engine > 0").status == 0)
        try Data("\(Self.key)\n".utf8).write(to: keyFile)
    }

    private var keyFile: URL { workspace.library.deletingLastPathComponent().appending(path: "key") }

    private func run(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["album"] + arguments + ["--library", workspace.library.path])
    }

    private func publish(_ server: SimulatedImmich, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(
            ["album", "publish", album, "--library", workspace.library.path, "--immich", server.url]
                + ["--key-file", keyFile.path, "--json"] + arguments)
    }

    @Test("Each photo is stacked on its RAW, in the album of its name, and existing ones are not sent again")
    func stacks() throws {
        let server = try SimulatedImmich(key: Self.key)
        let ended = try publish(server, "--originals")
        #expect(ended.status == 0, "\(ended.errors)")
        let published = try #require(try ended.events("published").first)
        #expect(published["photos"] as? Int == 4 && published["originals"] as? Int == 2)
        #expect(published["sent"] as? Int == 6)
        let state = try server.state()
        #expect(state.albums.map(\.albumName) == [album])
        #expect(
            state.names(state.albums.first?.assets ?? []) == [
                "sample-0001.mono.jpg", "sample-0001.neutral.jpg", "sample-0002.mono.jpg", "sample-0002.neutral.jpg",
            ])
        let stacks = state.stacks.map { state.names($0.assets) }
        #expect(
            stacks.sorted { $0[0] < $1[0] } == [
                ["sample-0001.mono.jpg", "sample-0001.neutral.jpg", "sample-0001.dng"],
                ["sample-0002.mono.jpg", "sample-0002.neutral.jpg", "sample-0002.dng"],
            ])
        #expect(state.stacks.allSatisfy { $0.primaryAssetId == $0.assets.first })

        let again = try publish(server, "--originals")
        #expect(try again.events("published").first?["sent"] as? Int == 0)
        let after = try server.state()
        #expect(after.uploads == 6 && after.stacks.map(\.assets) == state.stacks.map(\.assets))
        #expect(after.albums.map(\.assets) == state.albums.map(\.assets))
    }

    @Test("An interrupted publication continues where it stopped")
    func brokenOff() throws {
        let server = try SimulatedImmich(key: Self.key, failingUpload: 3)
        let ended = try publish(server)
        #expect(ended.status == 70)
        #expect(ended.errors.contains("answered 500: Internal server error") && !ended.errors.contains(Self.key))
        let again = try publish(server)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try again.events("published").first?["sent"] as? Int == 2)
        let state = try server.state()
        #expect(state.assets.count == 4 && state.stacks.isEmpty && state.albums.first?.assets.count == 4)
    }

    @Test("Metadata go with the RAW, and a photo with other bytes is left out and named")
    func sidecarsAndDamage() throws {
        let server = try SimulatedImmich(key: Self.key)
        let sidecar = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
            """
        try Data(sidecar.utf8).write(to: workspace.raw.appending(path: "sample-0001.dng.xmp"))
        #expect(try workspace.convert("--long-edge", "150", "--look", "velvet").status == 0)
        #expect(try run("add", album, "--where", "look = 'velvet'").status == 0)
        let photo = try Data(contentsOf: workspace.photos.appending(path: "raw/sample-0002.mono.jpg"))
        let objects = workspace.library.appending(path: "objects")
        let damaged = try #require(
            workspace.files(below: objects).map { objects.appending(path: $0) }.first {
                try Data(contentsOf: $0) == photo
            })
        try FileManager.default.removeItem(at: damaged)
        try Data("other bytes".utf8).write(to: damaged)
        let ended = try publish(server, "--originals")
        #expect(ended.status == 3)
        #expect(try ended.events("left-out").count == 1)
        let raws = try server.state().assets.values.filter { $0.name.hasSuffix(".dng") }
        #expect(raws.filter(\.sidecar).map(\.name) == ["sample-0001.dng"])
    }

    @Test("A refused file is left out and named, and all others continue")
    func untakenFile() throws {
        let other = try Workspace()
        try other.makeSamples(1)
        try FileManager.default.moveItem(
            at: other.raw.appending(path: "sample-0001.dng"), to: other.raw.appending(path: "strange.srw"))
        try other.makeSamples(1, first: 2)
        #expect(try other.convert("--long-edge", "200").status == 0)
        let server = try SimulatedImmich(key: Self.key)
        for words in [["create", "all"], ["add", "all", "--where", "engine > 0"]] {
            #expect(try Rawmill.run(["album"] + words + ["--library", other.library.path]).status == 0)
        }
        let ended = try Rawmill.run(
            ["album", "publish", "all", "--library", other.library.path, "--immich", server.url, "--originals"]
                + ["--key-file", keyFile.path, "--json"])
        #expect(ended.status == 3, "\(ended.errors)")
        #expect(try ended.events("left-out").compactMap { $0["file"] as? String } == ["strange.srw"])
        #expect(try ended.events("published").first?["sent"] as? Int == 3)
    }

    @Test("A wrong key, a wrong address and a missing server are named with the remedy, and no key is shown")
    func refusals() throws {
        let server = try SimulatedImmich(key: "another")
        let wrongKey = try publish(server)
        #expect(wrongKey.status == 70 && wrongKey.errors.contains("API Keys"))
        #expect(!wrongKey.errors.contains(Self.key))
        func refusal(_ address: String) throws -> Rawmill.Ended {
            try Rawmill.run(
                ["album", "publish", album, "--library", workspace.library.path, "--immich", address]
                    + ["--key-file", keyFile.path])
        }
        let nobody = try refusal("http://127.0.0.1:1")
        #expect(nobody.status == 70 && nobody.errors.contains("Check the address"))
        for address in ["ftp://photos", "https://", "https://me:secret@photos"] {
            let ended = try refusal(address)
            #expect(ended.status == 64 && !ended.errors.contains("secret"))
        }
    }
}
