import Foundation
import FoundationNetworking
import Testing

/// Companions of RAWs that are dropped on the page.
@Suite("Companions of dropped RAWs") struct DroppedCompanionTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.1)
        try #require(try workspace.convert().status == 0)
    }

    private static let fourStars = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"/></rdf:RDF></x:xmpmeta>
        """

    private struct File {
        let index: Int
        let name: String
        let content: Data
        let isCompanion: Bool

        static func raw(_ index: Int, _ name: String, _ content: Data) -> File {
            File(index: index, name: name, content: content, isCompanion: false)
        }

        static func companion(_ index: Int, _ name: String, _ text: String) -> File {
            File(index: index, name: name, content: Data(text.utf8), isCompanion: true)
        }
    }

    private func upload(_ file: File, _ drop: String, to server: PageServer) throws {
        let path = try server.beginUpload(
            drop, file.index, file.name, byteCount: file.content.count, isCompanion: file.isCompanion)
        #expect(try server.patch(path, at: 0, file.content) == 204)
    }

    @Test(
        "They stay with their RAWs under their names, in any order of arrival, do not count as files, and survive a kill"
    )
    func kept() throws {
        var server = try PageServer(library: workspace.library)
        let card = workspace.folder.appending(path: "card")
        try workspace.makeSamples(4, first: 50, megapixels: 0.1, in: card)
        func sample(_ number: Int) throws -> Data {
            try Data(contentsOf: card.appending(path: "sample-00\(number).dng"))
        }
        let known = try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))

        let begun = try server.json("POST", "/v1/drops", ["files": 6, "look": "neutral", "title": "Card"])
        let drop = try #require(begun["drop"] as? String)
        let before: [File] = [
            .companion(0, "IMG_1.JPG", "the first JPEG"), .companion(0, "IMG_1.dng.xmp", Self.fourStars),
            .companion(2, "known.JPG", "of one that is there"), .companion(4, "never.JPG", "of one that does not come"),
        ]
        for file in before { try upload(file, drop, to: server) }
        // They wait for their RAWs, even after the process ended.
        server.program.send(SIGKILL)
        _ = server.program.wait()
        server = try PageServer(library: workspace.library)
        let after: [File] = [
            .raw(0, "IMG_1.dng", try sample(50)), .raw(1, "IMG_1.dng", try sample(51)),
            .companion(1, "IMG_1.jpg", "the second JPEG"), .companion(1, "IMG_1.WAV", "a sound"),
            .raw(2, "known.dng", known), .companion(2, "known.xmp", Self.fourStars),
            .raw(3, "cut.dng", try sample(52).prefix(20_000)), .companion(3, "cut.JPG", "of a damaged one"),
            .raw(5, "DSC.1.dng", try sample(53)), .companion(5, "DSC.1.JPG", "of a name with a dot"),
        ]
        for file in after { try upload(file, drop, to: server) }
        #expect(try server.json("POST", "/v1/drops/\(drop)/close")["refused"] as? Int == 1)
        func answer() throws -> [String: Any] { try server.json("GET", "/v1/drops/\(drop)") }
        try server.wait { try answer()["waiting"] as? Int == 0 }
        #expect(try answer()["sentence"] as? String == "3 of 6 were not imported.")
        #expect((try answer()["files"] as? [[String: Any]])?.count == 6)

        // Discarded files are reported.
        let told = try #require(try answer()["files"] as? [[String: Any]]).compactMap { $0["message"] as? String }
        for name in ["known.JPG", "known.xmp", "never.JPG"] {
            #expect(told.contains { $0.contains("Not kept with it: \(name).") }, "\(told)")
        }

        let folder = try #require(workspace.shownPhotos.first { $0.hasSuffix("/IMG_1.dng") }).replacing(
            "/IMG_1.dng", with: "")
        let files = workspace.shownPhotos.filter { $0.hasPrefix(folder) }.map { $0.dropFirst(folder.count + 1) }
        #expect(
            Set(files) == [
                "IMG_1.dng", "IMG_1.JPG", "IMG_1.dng.xmp", "IMG_1.neutral.jpg", "IMG_1 (2).dng", "IMG_1 (2).jpg",
                "IMG_1 (2).WAV", "IMG_1 (2).neutral.jpg", "cut.dng", "cut.JPG", "DSC.1.dng", "DSC.1.JPG",
                "DSC.1.neutral.jpg",
            ])
        let second = workspace.photos.appending(path: "\(folder)/IMG_1 (2).jpg")
        #expect(try String(contentsOf: second, encoding: .utf8) == "the second JPEG")
        // The sidecar was there when the RAW was developed.
        #expect(try server.photos("where=rating%20%3D%204").map { $0["name"] as? String } == ["IMG_1.neutral.jpg"])
        let left = workspace.files(below: workspace.library.appending(path: ".rawmill/uploads"))
        #expect(left.filter { !$0.hasSuffix("finished.jsonl") } == [])
        #expect(server.stop().status == 0)
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output)")
    }

    @Test("A name that belongs to no RAW is refused, and an existing file with a companion's name is not replaced")
    func refused() throws {
        let server = try PageServer(library: workspace.library)
        let begun = try server.json("POST", "/v1/drops", ["files": 1, "look": "neutral", "title": "Card"])
        let drop = try #require(begun["drop"] as? String)
        let fields = [("filename", "page.html"), ("drop", drop), ("index", "0"), ("companion", "yes")]
        let metadata = fields.map { "\($0) \(Data($1.utf8).base64EncodedString())" }.joined(separator: ",")
        let answer = try server.send(
            "POST", "/v1/uploads", nil,
            ["Tus-Resumable": "1.0.0", "Upload-Length": "3", "Upload-Metadata": metadata])
        #expect(answer.status == 400 && String(decoding: answer.body, as: UTF8.self).contains("page.html"))

        let card = workspace.folder.appending(path: "card")
        try workspace.makeSamples(1, first: 50, megapixels: 0.1, in: card)
        try upload(.raw(0, "a.dng", try Data(contentsOf: card.appending(path: "sample-0050.dng"))), drop, to: server)
        let raw = try #require(workspace.shownPhotos.first { $0.hasSuffix("/a.dng") })
        let mine = workspace.photos.appending(path: raw.replacing("a.dng", with: "a.xmp"))
        try Data("mine".utf8).write(to: mine)
        try upload(.companion(0, "a.xmp", Self.fourStars), drop, to: server)
        #expect(try String(contentsOf: mine, encoding: .utf8) == "mine")
        try server.wait { try server.json("GET", "/v1/drops/\(drop)")["done"] as? Int == 1 }
        // The same file again is no conflict.
        try upload(.companion(0, "a.xmp", "mine"), drop, to: server)
        #expect(server.stop().status == 0)
    }
}
