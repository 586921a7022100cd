import Foundation
import Testing

/// `rawmill library reproduce`.
struct ReproductionTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(1)
        try sidecar(rating: 3)
        #expect(try workspace.convert("--long-edge", "200", "--look", "silver").status == 0)
        #expect(try workspace.convert("--long-edge", "160", "--look", "mono", "--format", "tiff").status == 0)
    }

    private func sidecar(rating: Int) throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="\(rating)"/></rdf:RDF></x:xmpmeta>
            """
        try Data(packet.utf8).write(to: workspace.raw.appending(path: "sample-0001.dng.xmp"))
    }

    private func reproduce(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library", "reproduce", "--library", workspace.library.path] + arguments)
    }

    @Test("Photos have the same bytes again, and can be kept")
    func same() throws {
        let folder = workspace.library.deletingLastPathComponent().appending(path: "again")
        let ended = try reproduce("--where", "engine > 0", "--to", folder.path + "/")
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.lines.last == "2 of 2 photos are identical.")
        for name in workspace.files(below: workspace.library.appending(path: "photos")) {
            let shown = try Data(contentsOf: workspace.library.appending(path: "photos/\(name)"))
            #expect(try Data(contentsOf: folder.appending(path: "photos/\(name)")) == shown, "\(name)")
        }
        #expect(workspace.files(below: folder).count == 2)
    }

    @Test("Differences are reported")
    func differences() throws {
        let raw = workspace.raw.appending(path: "sample-0001.dng")
        let whole = try Data(contentsOf: raw)
        try sidecar(rating: 5)
        var ended = try reproduce("--where", "look = 'silver'", "--json")
        #expect(ended.status == 3)
        var event = try #require(try ended.events("reproduced").first)
        #expect(event["outcome"] as? String == "differs")
        #expect(
            (event["reason"] as? String)?.hasPrefix("the picture is the same; the user's metadata") == true, "\(event)")

        try sidecar(rating: 3)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: raw.path)
        event = try #require(try reproduce("--where", "look = 'silver'", "--json").events("reproduced").first)
        #expect(event["outcome"] as? String == "same", "copying a RAW changes its time, and not its photo: \(event)")

        try (whole + Data([0])).write(to: raw)
        event = try #require(try reproduce("--where", "look = 'silver'", "--json").events("reproduced").first)
        #expect(event["reason"] as? String == "its RAW has other bytes now", "\(event)")

        try FileManager.default.removeItem(at: raw)
        ended = try reproduce("--where", "engine > 0")
        #expect(ended.status == 3)
        #expect(ended.lines.filter { $0.hasPrefix("impossible") && $0.contains("its RAW is missing") }.count == 2)
    }
}
