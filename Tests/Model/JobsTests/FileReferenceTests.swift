import Jobs
import Testing

@Suite("A relative path") struct RelativePathTests {
    @Test(
        "is refused when it could leave its root or name nothing",
        arguments: ["", "/", "/etc/passwd", "..", "a/..", "a/../b", "./a", "a/.", "a//b", "a/", "a\u{0}b"])
    func refused(text: String) { #expect(RelativePath(text) == nil) }

    @Test("keeps bytes that are no UTF-8, and shows them readably")
    func bytes() throws {
        let path = try #require(RelativePath(bytes: [0x61, 0x2F, 0xFF, 0x0A]))
        #expect(path.bytes == [0x61, 0x2F, 0xFF, 0x0A])
        #expect(path.description == "a/\u{FFFD}\n")
        #expect(path.name == [0xFF, 0x0A])
        #expect(path.folder == RelativePath("a"))
    }

    @Test("directly below the root stands in no folder")
    func noFolder() throws { #expect(try #require(RelativePath("IMG_1.CR2")).folder == nil) }

    @Test("over the system's longest is refused")
    func tooLong() {
        #expect(RelativePath(String(repeating: "a/", count: 2046) + "abc") != nil)
        #expect(RelativePath(String(repeating: "a/", count: 2047) + "ab") == nil)
    }
}

@Suite("A root's name") struct RootNameTests {
    @Test("is made from any folder's name", arguments: ["Photos 2019", "", "..", "日本", "a/b", "-x"])
    func nearest(folder: String) { #expect(RootName(RootName(sanitizing: folder).text) != nil) }

    @Test("is refused when it could not stand in a path", arguments: ["", ".", ".a", "a b", "a/b", "a=b"])
    func refused(text: String) { #expect(RootName(text) == nil) }
}
