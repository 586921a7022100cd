import Jobs
import Testing

@Suite("Relative paths") struct RelativePathTests {
    @Test(
        "A path that could leave its root or names nothing is refused",
        arguments: ["", "/", "/etc/passwd", "..", "a/..", "a/../b", "./a", "a/.", "a//b", "a/", "a\u{0}b"])
    func refused(text: String) { #expect(RelativePath(text) == nil) }

    @Test("A path keeps bytes that are not UTF-8, and shows them readably")
    func bytes() throws {
        let path = try #require(RelativePath(bytes: [0x61, 0x2F, 0xFF, 0x0A]))
        #expect(path.bytes == [0x61, 0x2F, 0xFF, 0x0A])
        #expect(path.description == "a/\u{FFFD}\n")
        #expect(path.name == [0xFF, 0x0A])
        #expect(path.folder == RelativePath("a"))
    }

    @Test("A path directly below the root has no folder")
    func noFolder() throws { #expect(try #require(RelativePath("IMG_1.CR2")).folder == nil) }

    @Test("A path longer than the system's limit is refused")
    func tooLong() {
        #expect(RelativePath(String(repeating: "a/", count: 2046) + "abc") != nil)
        #expect(RelativePath(String(repeating: "a/", count: 2047) + "ab") == nil)
    }
}

@Suite("Root names") struct RootNameTests {
    @Test("Any folder's name becomes a valid root name", arguments: ["Photos 2019", "", "..", "日本", "a/b", "-x"])
    func sanitized(folder: String) { #expect(RootName(RootName(sanitizing: folder).text) != nil) }

    @Test("A root name that is not valid in a path is refused", arguments: ["", ".", ".a", "a b", "a/b", "a=b"])
    func refused(text: String) { #expect(RootName(text) == nil) }
}
