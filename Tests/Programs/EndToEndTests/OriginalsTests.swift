import Foundation
import Testing

struct OriginalsTests {
    @Test("A copied RAW stands beside its photo, byte for byte, and the source stays")
    func copy() throws {
        let place = try Workplace()
        try place.makeSamples(2)
        let sources = try place.fingerprint(of: place.raw)
        #expect(try place.convert("--originals", "copy").status == 0)
        #expect(try place.fingerprint(of: place.raw) == sources)
        for number in 1...2 {
            let name = "sample-000\(number).dng"
            let copy = place.photos.appending(path: "raw/\(name)")
            #expect(try Data(contentsOf: copy) == Data(contentsOf: place.raw.appending(path: name)))
        }
        #expect(try Rawmill.run("library", "verify", "--library", place.library.path).status == 0)
    }

    @Test("A moved RAW is in the library before its source goes, and a failed one stays where it is")
    func move() throws {
        let place = try Workplace()
        try place.makeSamples(2)
        let bytes = try Data(contentsOf: place.raw.appending(path: "sample-0001.dng"))
        try Data("no RAW".utf8).write(to: place.raw.appending(path: "strange.nef"))
        #expect(try place.convert("--originals", "move").status == 3)
        #expect(place.files(below: place.raw) == ["strange.nef"])
        #expect(try Data(contentsOf: place.photos.appending(path: "raw/sample-0001.dng")) == bytes)
        #expect(try Rawmill.run("library", "verify", "--library", place.library.path).status == 0)
    }

    @Test("The default leaves the RAWs alone and puts none into the library")
    func reference() throws {
        let place = try Workplace()
        try place.makeSamples(1)
        let sources = try place.fingerprint(of: place.raw)
        #expect(try place.convert().status == 0)
        #expect(try place.fingerprint(of: place.raw) == sources)
        #expect(!place.files(below: place.library).contains { $0.hasSuffix(".dng") })
    }

    @Test("RAWs of photos that are done are copied, then moved, when that is asked for later; the photos stay")
    func later() throws {
        let place = try Workplace()
        try place.makeSamples(1)
        #expect(try place.convert().status == 0)
        let photo = place.photos.appending(path: "raw/sample-0001.neutral.jpg")
        let copy = place.photos.appending(path: "raw/sample-0001.dng")
        let before = try Data(contentsOf: photo)
        let planned = try place.convert("--originals", "copy", "--dry-run")
        #expect(
            planned.lines.contains { $0.contains("changed") && $0.contains("sample-0001.dng") }, "\(planned.output)")
        #expect(try place.convert("--originals", "copy").status == 0)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: place.raw.appending(path: "sample-0001.dng")))
        #expect(try place.convert("--originals", "copy").output.contains("1 unchanged"))
        #expect(try place.convert().output.contains("1 unchanged"), "less than a copy asks for nothing")
        #expect(try place.convert("--originals", "move").status == 0)
        #expect(place.files(below: place.raw).isEmpty)
        #expect(FileManager.default.fileExists(atPath: copy.path))
        #expect(try Data(contentsOf: photo) == before)
        #expect(try Rawmill.run("library", "verify", "--library", place.library.path).status == 0)
    }
}
