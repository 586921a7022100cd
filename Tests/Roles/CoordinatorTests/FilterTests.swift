import Foundation
import Storage
import Testing

@testable import Coordinator

@Suite("Filters for sources") struct FilterTests {
    @Test(
        "A pattern matches names, or paths if it has a slash",
        arguments: [
            ("*.dng", "a/b.dng", false, true), ("*.dng", "a/b.nef", false, false), ("b?.dng", "b1.dng", false, true),
            ("a/*", "a/b/c.dng", false, true), ("b/*", "a/b/c.dng", false, false), ("/c.dng", "c.dng", false, true),
            ("private/", "a/private", true, true), ("private/", "private", false, false),
            ("[ab]*", "beta", false, true), ("[!ab]*", "beta", false, false), ("\\*", "*", false, true),
            ("\\*", "x", false, false), ("*a*b*", "xxaxxbx", false, true), ("*a*b*", "xxbxxax", false, false),
        ])
    func globs(pattern: String, path: String, isFolder: Bool, matches: Bool) throws {
        let glob = try #require(Glob(Array(pattern.utf8)))
        #expect(glob.matches(Array(path.utf8), isFolder: isFolder) == matches)
    }

    @Test("Matching a pattern of many stars takes at most its length times the name's")
    func manyStars() throws {
        let glob = try #require(Glob(Array((String(repeating: "a*", count: 100) + "b").utf8)))
        #expect(!glob.matches([UInt8](repeating: UInt8(ascii: "a"), count: 4000), isFolder: false))
    }

    @Test("Empty and invalid patterns are refused", arguments: ["", "[", "[a", "/"])
    func noPatterns(pattern: String) { #expect(Glob(Array(pattern.utf8)) == nil) }

    @Test(
        "A rating is an attribute or an element; nothing else counts",
        arguments: [
            (#"<r xmp:Rating="4" x="1"/>"#, 4), (#"<r xmp:Rating='-1'/>"#, -1), ("<xmp:Rating>3</xmp:Rating>", 3),
            ("<xap:Rating> 2 </xap:Rating>", 2), (#"xmp:Rating = "5""#, 5), (#"<r xmp:Rating="9"/>"#, nil),
            (#"<r xmp:RatingX="4"/>"#, nil), ("xmp:Rating", nil), ("", nil), (":", nil),
        ] as [(String, Int?)])
    func ratings(packet: String, rating: Int?) {
        #expect(RatingText.rating(in: Array(packet.utf8)) == rating)
    }

    @Test("A rating inside a TIFF is found by its tags, even in malformed files")
    func embedded() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func rating(_ bytes: [UInt8]) throws -> Int {
            try Data(bytes).write(to: folder.appending(path: "a.dng"))
            let open = try OpenFolder(absolutePath: Array(folder.path.utf8))
            return RatingReader(folder: open).rating(of: Array("a.dng".utf8), sidecar: nil)
        }
        let head: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0]
        #expect(try rating(head + [0x46, 0x47, 3, 0, 1, 0, 0, 0, 4, 0, 0, 0]) == 4)
        let packet = Array(#"<x xmp:Rating="3"/>"#.utf8)
        #expect(try rating(head + [0xBC, 2, 1, 0, UInt8(packet.count), 0, 0, 0, 22, 0, 0, 0] + packet) == 3)
        // Lengths and offsets beyond the file, and no TIFF at all.
        #expect(try rating(head + [0xBC, 2, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255]) == 0)
        #expect(try rating([0x49, 0x49, 42, 0, 255, 255, 255, 255]) == 0)
        #expect(try rating([]) == 0)
    }
}
