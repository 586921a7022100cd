import Foundation
import FoundationNetworking
import PictureFormat
import Samples
import Testing

/// `rawmill serve` from a client's view.
@Suite("serve") struct ServeTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.1)
        try #require(try workspace.convert().status == 0)
    }

    @Test("An edit is shown when it is rendered, and undone; other commands see the same library")
    func edited() throws {
        let server = try PageServer(library: workspace.library)
        let first = try #require(try server.photos("limit=1").first?["id"] as? String)
        let order = try server.json("POST", "/v1/photos/edit", ["photos": [first], "changes": ["look": "mono"]])
        #expect(order["order"] is String)
        try server.wait { try server.photos("look=mono").count == 1 }
        let edited = try #require(try server.photos("look=mono").first)
        #expect(edited["name"] as? String == "sample-0001.mono.jpg")
        let id = try #require(edited["id"] as? String)
        let finished = try #require(try server.json("GET", "/v1/finished")["photos"] as? [[String: Any]])
        #expect(finished.isEmpty, "an edit that is held is shown when all of it is there")
        let details = try server.json("GET", "/v1/photos/\(id)")
        #expect(details["canUndo"] as? Bool == true && (details["revisions"] as? [Any])?.count == 2)
        let undone = try server.json("POST", "/v1/photos/undo", ["photos": [id]])
        #expect((undone["changes"] as? [[String: Any]])?.first?["changed"] as? Bool == true)
        #expect(try server.photos().first?["id"] as? String == first)
        let missing = try server.send(
            "POST", "/v1/photos/edit", Data(#"{"photos":["\#(id)"],"changes":{"exposure":1}}"#.utf8))
        #expect(missing.status == 404, "the edit is not shown any more")
        #expect(server.stop().status == 0)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }

    @Test("Dropped RAWs are stored and developed; invalid, known and broken files are refused, and all others continue")
    func dropped() throws {
        var server = try PageServer(library: workspace.library)
        try workspace.makeSamples(2, first: 50, megapixels: 0.1, in: workspace.folder.appending(path: "card"))
        let card = workspace.folder.appending(path: "card")
        let known = try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))
        let new = try Data(contentsOf: card.appending(path: "sample-0050.dng"))
        let other = try Data(contentsOf: card.appending(path: "sample-0051.dng"))
        // A RAW is recognised by its content, with any name.
        let files: [(String, Data)] = [
            ("new.dng", new), ("known.dng", known), ("picture.dng", Data([0xff, 0xd8, 0xff, 0xe0]) + Data(count: 500)),
            ("cut.dng", other.prefix(other.count / 2)), ("no-ending", other), ("text.dng", Data("hello".utf8)),
            ("../../<b>ü.dng", new),
        ]
        let begun = try server.json("POST", "/v1/drops", ["files": files.count, "look": "mono", "title": "Card 1"])
        let drop = try #require(begun["drop"] as? String)
        for (index, (name, content)) in files.enumerated() {
            let path = try server.beginUpload(drop, index, name, byteCount: content.count)
            let half = content.count / 2
            #expect(try server.patch(path, at: 0, content.prefix(half)) == 204)
            // The server may be killed at any moment; acknowledged files are kept.
            if index == 4 {
                server.program.send(SIGKILL)
                _ = server.program.wait()
                server = try PageServer(library: workspace.library)
            }
            #expect(try server.patch(path, at: half, content.suffix(from: half)) == 204)
        }
        func states() throws -> [[String: Any]] {
            try #require(try server.json("GET", "/v1/drops/\(drop)")["files"] as? [[String: Any]])
        }
        try server.wait { try states().allSatisfy { ["done", "refused"].contains($0["state"] as? String ?? "") } }
        let ended = try states().map { "\($0["name"] ?? ""): \($0["reason"] as? String ?? "done")" }
        #expect(
            ended == [
                "new.dng: done", "known.dng: duplicate", "picture.dng: not-raw", "cut.dng: corrupt", "no-ending: done",
                "text.dng: not-raw", "_b_ü.dng: duplicate",
            ])
        #expect(try server.json("GET", "/v1/drops/\(drop)")["sentence"] as? String == "5 of 7 were not imported.")
        #expect(try server.photos("look=mono").count == 2)
        let finished = try #require(try server.json("GET", "/v1/finished")["photos"] as? [[String: Any]])
        // The first may have been finished before the server was killed.
        #expect(!finished.isEmpty && finished.allSatisfy { $0["look"] as? String == "mono@1" })
        let batches = try #require(try server.json("GET", "/v1/batches")["batches"] as? [[String: Any]])
        for batch in batches {
            let parts = ["catalogued", "failed", "cancelled", "open"].map { batch[$0] as? Int ?? -1 }
            #expect(batch["accepted"] as? Int == parts.reduce(0, +))
        }
        let failures = try #require(try server.json("GET", "/v1/failures")["groups"] as? [[String: Any]])
        #expect(
            failures.contains { $0["reason"] as? String == "corrupt" && ($0["remedy"] as? String)?.isEmpty == false })
        let listed = failures.flatMap { $0["files"] as? [[String: Any]] ?? [] }
        #expect(
            listed.contains { ($0["log"] as? String)?.hasSuffix("; given up") == true }, "the result of each attempt")
        let table = try server.send("GET", "/v1/failures.csv")
        #expect(String(decoding: table.body, as: UTF8.self).contains("corrupt,library/photos/drops/"))
        // A file that was repaired as advised is developed when it is retried.
        let broken = try #require(workspace.shownPhotos.first { $0.hasSuffix("/cut.dng") })
        try (other + Data([0])).write(to: workspace.photos.appending(path: broken))
        #expect(try server.json("POST", "/v1/failures/retry", ["reason": "corrupt"])["retried"] as? Int == 1)
        try server.wait { try server.photos("look=mono").count == 3 }
        try server.wait { try server.json("GET", "/v1/now")["state"] as? String == "idle" }
        #expect(try server.json("GET", "/v1/failures")["total"] as? Int == failures.count - 1)
        #expect(try server.json("POST", "/v1/failures/dismiss", ["reason": "not-raw"])["dismissed"] as? Int == 1)
        #expect(try server.json("GET", "/v1/failures")["total"] as? Int == 0)
        #expect(server.stop().status == 0)
    }

    @Test("One request turns a RAW into the same picture as `convert`, and nothing of it is kept")
    func rendered() throws {
        let server = try PageServer(library: workspace.library)
        let raw = try Data(contentsOf: workspace.raw.appending(path: "sample-0002.dng"))
        let before = workspace.files(below: workspace.library).count
        let picture = try server.send("POST", "/v1/render?look=neutral", raw)
        #expect(picture.status == 200 && picture.headers["Content-Type"] as? String == "image/jpeg")
        #expect((picture.headers["Server-Timing"] as? String)?.contains("decode") == true)
        let photo = workspace.photos.appending(path: "raw/sample-0002.neutral.jpg")
        // They differ in the RAW's place in the XMP.
        #expect(abs(picture.body.count - (try Data(contentsOf: photo)).count) < 200)
        #expect(workspace.files(below: workspace.library).count == before)
        for (path, body, status) in [
            ("/v1/render?look=nothing", raw, 400), ("/v1/render?look=/etc/passwd", raw, 400),
            ("/v1/render?exposure=99", raw, 400), ("/v1/render", Data("no RAW".utf8), 422), ("/v1/render", Data(), 400),
        ] {
            let answer = try server.send("POST", path, body)
            #expect(answer.status == status, "\(path): \(String(decoding: answer.body, as: UTF8.self))")
            #expect(String(decoding: answer.body, as: UTF8.self).hasPrefix("{\"error\":{\"code\":"))
        }
        let id = try #require(try server.photos("limit=1").first?["id"] as? String)
        let tried = try server.send("GET", "/v1/objects/\(id)/try?look=velvet&exposure=0.5&edge=256")
        #expect(tried.status == 200 && tried.body.starts(with: [0xff, 0xd8]))
        #expect(try server.photos().allSatisfy { $0["look"] as? String == "neutral@1" })
        let part = try server.send("GET", "/v1/objects/\(id)/photo", nil, ["Range": "bytes=0-1"])
        #expect(part.status == 206 && Array(part.body) == [0xff, 0xd8])
        let tag = try #require(part.headers["Etag"] as? String ?? part.headers["ETag"] as? String)
        #expect(try server.send("GET", "/v1/objects/\(id)/photo", nil, ["If-None-Match": tag]).status == 304)
        #expect(try server.send("GET", "/v1/objects/\(id)/camera").status == 404, "no camera embeds nothing")
        let original = try server.send("GET", "/v1/objects/\(id)/raw?download=1")
        #expect(original.body == (try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))))
        #expect(server.stop().status == 0)
    }

    private static func withoutXMP(_ jpeg: Data) -> Data {
        let bytes = [UInt8](jpeg)
        var plain = Array(bytes.prefix(2))
        var start = 2
        while start + 4 <= bytes.count, bytes[start] == 0xff, bytes[start + 1] != 0xda {
            let end = start + 2 + (Int(bytes[start + 2]) << 8 | Int(bytes[start + 3]))
            let isXMP = bytes[start + 1] == 0xe1 && bytes[start + 4] == UInt8(ascii: "h")
            if !isXMP { plain += bytes[start..<min(end, bytes.count)] }
            start = end
        }
        return Data(plain + bytes[min(start, bytes.count)...])
    }

    @Test("The camera's JPEG beside a RAW is compared with the photo")
    func camera() throws {
        let both = workspace.folder.appending(path: "both")
        try workspace.makeSamples(1, first: 7, megapixels: 0.1, in: both)
        let out = workspace.folder.appending(path: "out")
        try #require(try Rawmill.run("convert", both.path, "--out", out.path).status == 0)
        let made = try #require(workspace.files(below: out).first { $0.hasSuffix(".jpg") })
        // Like a camera's, of the same shot: without Rawmill's identity, but with EXIF.
        let picture = Self.withoutXMP(try Data(contentsOf: out.appending(path: made)))
        try picture.write(to: both.appending(path: "sample-0007.jpg"))
        try #require(try Rawmill.run("convert", both.path, "--library", workspace.library.path).status == 0)
        let server = try PageServer(library: workspace.library)
        let id = try #require(
            try server.photos().first { ($0["name"] as? String)?.hasPrefix("sample-0007") == true }?["id"] as? String)
        #expect(try server.json("GET", "/v1/photos/\(id)")["cameraPreview"] as? Bool == true)
        #expect(try server.send("GET", "/v1/objects/\(id)/camera").body == picture)
        #expect(server.stop().status == 0)
    }

    @Test("The picture embedded by the camera is shown upright, and is a placeholder for the photo")
    func embedded() throws {
        let card = workspace.folder.appending(path: "card")
        try FileManager.default.createDirectory(at: card, withIntermediateDirectories: true)
        let size = Sample.size(megapixels: 0.1)
        let turned = Data(Sample.dng(index: 71, size: size, orientation: .rotated90Clockwise, preview: .good))
        try turned.write(to: card.appending(path: "turned.dng"))
        try #require(try Rawmill.run("convert", card.path, "--library", workspace.library.path).status == 0)
        let server = try PageServer(library: workspace.library)
        func photo(_ name: String) throws -> String {
            try #require(
                try server.photos().first { ($0["name"] as? String)?.hasPrefix(name) == true }?["id"] as? String)
        }
        let picture = try server.send("GET", "/v1/objects/\(try photo("turned"))/camera")
        #expect(picture.status == 200 && picture.headers["Content-Type"] as? String == "image/jpeg")
        // SOI, and an EXIF segment with one field: Orientation 6.
        let exif = Data(
            [0xff, 0xd8, 0xff, 0xe1, 0, 34] + Array("Exif\0\0MM".utf8)
                + [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0])
        #expect(picture.body.prefix(exif.count) == exif)
        #expect(turned.range(of: picture.body.suffix(from: exif.count).dropFirst(2)) != nil, "to the bit")
        let tag = try #require(picture.headers["Etag"] as? String ?? picture.headers["ETag"] as? String)
        let again = try server.send(
            "GET", "/v1/objects/\(try photo("turned"))/camera", nil, ["If-None-Match": tag])
        #expect(again.status == 304)
        let without = try server.send("GET", "/v1/objects/\(try photo("sample-0001"))/camera")
        #expect(without.status == 404 && String(decoding: without.body, as: UTF8.self).contains("no-camera-picture"))

        let dropped = Data(Sample.dng(index: 72, size: size, preview: .good))
        let drop = try #require(
            try server.json("POST", "/v1/drops", ["files": 1, "look": "mono"])["drop"] as? String)
        let path = try server.beginUpload(drop, 0, "new.dng", byteCount: dropped.count)
        #expect(try server.send("GET", "\(path)/preview").status == 404, "it is not complete yet")
        #expect(try server.patch(path, at: 0, dropped) == 204)
        let file = try #require((try server.json("GET", "/v1/drops/\(drop)")["files"] as? [[String: Any]])?.first)
        #expect(file["hasPreview"] as? Bool == true)
        let placeholder = try server.send("GET", "\(path)/preview")
        #expect(placeholder.status == 200 && placeholder.body.starts(with: [0xff, 0xd8, 0xff, 0xe1]))
        #expect(server.stop().status == 0)
    }

    @Test("A condition is answered with photos or with the place of its error, and albums keep their order")
    func selected() throws {
        let server = try PageServer(library: workspace.library)
        #expect(try server.json("GET", "/v1/photos/count?where=frame%20=%200")["count"] as? Int == 3)
        let wrong = try server.json("GET", "/v1/photos?where=frame%20%3D%3D%200")
        #expect((wrong["error"] as? [String: Any])?["column"] as? Int == 7)
        #expect(try server.photos("offset=2&limit=5").count == 1)
        let ids = try server.photos().compactMap { $0["id"] as? String }
        _ = try server.json("POST", "/v1/albums", ["name": "trip"])
        _ = try server.json("POST", "/v1/albums/add", ["name": "trip", "photos": ids])
        _ = try server.json("POST", "/v1/albums/move", ["name": "trip", "photos": [ids[2]], "before": ids[0]])
        #expect(try server.photos("album=trip").compactMap { $0["id"] as? String } == [ids[2], ids[0], ids[1]])
        let archive = try server.send("GET", "/v1/albums/archive?name=trip&format=tar&originals=true")
        #expect(archive.status == 200 && archive.headers["Content-Type"] as? String == "application/x-tar")
        let exported = workspace.folder.appending(path: "trip.tar")
        #expect(
            try Rawmill.run(
                "album", "export", "trip", "--library", workspace.library.path, "--to", exported.path, "--originals"
            ).status == 0)
        #expect(archive.body == (try Data(contentsOf: exported)), "the same archive that the command writes")
        #expect(try server.send("GET", "/v1/albums/archive?name=nothing").status == 404)
        #expect(try server.send("GET", "/v1/albums/archive?name=trip&format=rar").status == 400)
        let facets = try server.json("GET", "/v1/facets")
        #expect((facets["albums"] as? [[String: Any]])?.first?["count"] as? Int == 3)
        #expect(server.stop().status == 0)
    }

    @Test("Only this program serves the page, and only to requests for its name")
    func page() throws {
        let server = try PageServer(library: workspace.library)
        let page = try server.send("GET", "/")
        #expect(page.status == 200 && String(decoding: page.body, as: UTF8.self).contains("/page/main.js"))
        #expect((page.headers["Content-Security-Policy"] as? String)?.contains("script-src 'self'") == true)
        let script = try server.send("GET", "/page/main.js")
        #expect(script.headers["Content-Type"] as? String == "text/javascript; charset=utf-8")
        for path in [
            "/page/..%2fPackage.swift", "/page/..%2f..%2fetc%2fpasswd", "/dygraphs/..%2f..%2f", "/v1/objects/x/photo",
        ] {
            #expect(try server.send("GET", path).status == 404, "\(path)")
        }
        let foreign = try server.send("POST", "/v1/photos/undo", Data("{}".utf8), ["Origin": "http://evil.example"])
        #expect(foreign.status == 403)
        #expect(server.stop().status == 0)
    }

    @Test("A library whose mount is lost is reported, and continues when it is back")
    func lostMount() throws {
        let server = try PageServer(library: workspace.library)
        let elsewhere = workspace.folder.appending(path: "elsewhere")
        func state() throws -> String? { try server.json("GET", "/v1/now")["state"] as? String }
        #expect(try state() == "idle")
        try FileManager.default.moveItem(at: workspace.library, to: elsewhere)
        #expect(try state() == "blocked")
        try FileManager.default.createDirectory(at: workspace.library, withIntermediateDirectories: false)
        #expect(try state() == "blocked")
        #expect(workspace.files(below: workspace.library).isEmpty, "nothing is written where the mount is missing")
        try FileManager.default.removeItem(at: workspace.library)
        try FileManager.default.moveItem(at: elsewhere, to: workspace.library)
        try server.wait { try state() == "idle" }
        #expect(try server.photos().count == 3)
    }

    @Test("If others can reach it, it requires tokens and encryption, with a message")
    func open() throws {
        let refused = try Rawmill.run("serve", "--library", workspace.library.path, "--listen", ":0")
        #expect(refused.status == 64 && refused.errors.contains("--tokens"))
        let empty = workspace.folder.appending(path: "mount")
        try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
        #expect(try Rawmill.run("serve", "--library", empty.path, "--listen", "127.0.0.1:0").status != 0)
        #expect(workspace.files(below: empty).isEmpty, "the folder of a mount that is missing stays empty")
        let tokens = workspace.folder.appending(path: "tokens")
        try "viewer wall 0123456789abcdef\n".write(to: tokens, atomically: true, encoding: .utf8)
        let plain = try Rawmill.run(
            "serve", "--library", workspace.library.path, "--listen", ":0", "--tokens", tokens.path)
        #expect(plain.status == 64 && plain.errors.contains("--behind-proxy"))
        let certificate = try Rawmill.run(
            "serve", "--library", workspace.library.path, "--tls-certificate", tokens.path, "--tls-key", tokens.path,
            "--listen", "127.0.0.1:0")
        #expect(certificate.status != 0 && certificate.errors.contains("Both must be PEM files"))
        let server = try PageServer(library: workspace.library, ["--tokens", tokens.path])
        #expect(try server.send("GET", "/v1/photos").status == 401)
        let mine = ["Authorization": "Bearer 0123456789abcdef"]
        #expect(try server.send("GET", "/v1/photos", nil, mine).status == 200)
        #expect(try server.send("POST", "/v1/albums", Data(#"{"name":"x"}"#.utf8), mine).status == 403)
        let wrongToken = try server.send("POST", "/v1/session", Data(#"{"token":"fedcba9876543210"}"#.utf8))
        #expect(wrongToken.status == 401)
        let signedIn = try server.send("POST", "/v1/session", Data(#"{"token":"0123456789abcdef"}"#.utf8))
        let cookie = signedIn.headers["Set-Cookie"] as? String ?? ""
        #expect(signedIn.status == 204 && cookie.contains("HttpOnly; SameSite=Strict") && !cookie.contains("Secure"))
        try "viewer wall short\n".write(to: tokens, atomically: true, encoding: .utf8)
        let wrong = try Rawmill.run("serve", "--library", workspace.library.path, "--tokens", tokens.path)
        #expect(wrong.status != 0 && wrong.errors.contains("line 1 of the token file"))
    }
}
