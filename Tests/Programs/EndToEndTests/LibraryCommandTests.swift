import Foundation
import Testing

struct LibraryCommandTests {
    private func library(_ place: Workplace, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library"] + arguments + ["--library", place.library.path])
    }

    @Test("List shows the current photos in order, and takes conditions")
    func list() throws {
        let place = try Workplace()
        try place.makeSamples(3)
        #expect(try place.convert().status == 0)
        #expect(try place.convert("--look", "mono").status == 0)
        let all = try library(place, "list", "--json").events
        #expect(all.compactMap { $0["photo"] as? String } == place.shownPhotos.map { "photos/\($0)" })
        #expect(try library(place, "list", "--look", "mono").lines.count == 3)
        #expect(try library(place, "list", "--folder", "raw").lines.count == 6)
        #expect(try library(place, "list", "--folder", "raw/none").lines.isEmpty)
        #expect(try library(place, "list", "--date", "2024-05").lines.count == 6)
        #expect(try library(place, "list", "--date", "2023").lines.isEmpty)
        #expect(try library(place, "list", "--date", "May").status == 64)
    }

    @Test("Show tells an asset's resources, recipe and adjustment data, by id and by path")
    func show() throws {
        let place = try Workplace()
        try place.makeSamples(1)
        #expect(try place.convert("--exposure", "0.5").status == 0)
        let listed = try #require(try library(place, "list", "--json").events.first)
        let asset = try #require(listed["asset"] as? String)
        let path = place.photos.appending(path: "raw/sample-0001.neutral.jpg").path
        for name in [asset, String(asset.prefix(8)), "photos/raw/sample-0001.neutral.jpg", path] {
            let shown = try #require(try library(place, "show", name, "--json").events.first)
            #expect(shown["asset"] as? String == asset)
            let revision = try #require((shown["revisions"] as? [[String: Any]])?.first)
            let adjustment = try #require(revision["adjustment"] as? [String: String])
            #expect(adjustment["formatIdentifier"] == "org.rawmill.recipe" && adjustment["formatVersion"] == "1.0")
            #expect(adjustment["data"]?.contains("exposure=0.5") == true)
            let kinds = (shown["resources"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
            #expect(Set(kinds) == ["photo", "preview", "alternatePhoto"])
        }
        #expect(try library(place, "show", "ffffffff").errors.contains("there is no asset"))
        #expect(try library(place, "show", "ffffffff").status == 64)
    }

    @Test("Verify finds a changed photo, a missing one, an unknown one, and a name that is gone, which it repairs")
    func verify() throws {
        let place = try Workplace()
        try place.makeSamples(3)
        #expect(try place.convert().status == 0)
        #expect(try library(place, "verify").status == 0)
        try FileManager.default.removeItem(at: place.photos.appending(path: "raw/sample-0001.neutral.jpg"))
        let lost = try library(place, "verify", "--json")
        #expect(lost.status == 3)
        #expect(try lost.events("finding").map { $0["kind"] as? String } == ["link-missing"])
        #expect(try library(place, "verify", "--repair").output.contains("Repaired."))
        #expect(try library(place, "verify").status == 0)
        #expect(place.shownPhotos.count == 3)
        let object = try #require(place.files(below: place.library.appending(path: "objects")).first)
        let file = place.library.appending(path: "objects/\(object)")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
        try Data("x".utf8).write(to: place.library.appending(path: "photos/raw/stranger.jpg"))
        let kinds = Set(try library(place, "verify", "--json").events("finding").compactMap { $0["kind"] as? String })
        #expect(kinds.isSuperset(of: ["photo-changed", "unknown-photo"]), "\(kinds)")
    }

    @Test("A rebuilt library equals the one it replaces, and conversions go on from it", arguments: [true, false])
    func rebuild(isLost: Bool) throws {
        let place = try Workplace()
        try place.makeSamples(3)
        #expect(try place.convert("--originals", "copy").status == 0)
        #expect(try place.convert("--look", "sepia", "--strength", "0.7").status == 0)
        func state() throws -> [String] {
            let assets = try library(place, "list", "--json").events.compactMap { $0["asset"] as? String }
            return try [library(place, "list", "--json").output]
                + assets.map { try library(place, "show", $0, "--json").output }
        }
        let before = try state()
        let tree = try place.fingerprint(of: place.photos)
        if isLost {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: place.library.path + "/library.sqlite" + end)
            }
        }
        let rebuilt = try library(place, "rebuild")
        #expect(rebuilt.status == 0, "\(rebuilt.output)\(rebuilt.errors)")
        #expect(try state() == before)
        #expect(try place.fingerprint(of: place.photos) == tree)
        #expect(try library(place, "verify").status == 0)
        try place.makeSamples(1, first: 4)
        #expect(try place.convert("--json").events("completed").count >= 1)
        #expect(place.shownPhotos.filter { $0.hasSuffix("neutral.jpg") }.count == 4)
    }

    @Test("A folder that never was a library is not made one")
    func notALibrary() throws {
        let place = try Workplace()
        try place.makeSamples(1, in: place.library)
        for command in ["list", "verify", "rebuild"] { #expect(try library(place, command).status == 64) }
        #expect(place.files(below: place.library) == ["sample-0001.dng"])
    }
}
