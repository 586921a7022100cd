import Storage
import Testing

@Suite("An atomically created folder")
struct NewFolderTests {
    private struct Interrupted: Error {}

    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    private func make(_ name: String, fails: Bool = false) throws {
        try root.makeFolder([UInt8](name.utf8)) { path in
            _ = try root.publish([UInt8]("text".utf8), at: path + [UInt8]("/file".utf8))
            #expect(try root.factsIfPresent(of: [UInt8](name.utf8)) == nil)
            if fails { throw Interrupted() }
        }
    }

    @Test("gets its name with all of its contents, and leaves nothing beside it")
    func whole() throws {
        try make("new")
        #expect(temporary.text(of: "new/file") == "text")
        #expect(try temporary.names(in: "") == ["new"])
    }

    @Test("leaves nothing if filling it fails")
    func cutOff() throws {
        #expect(throws: Interrupted.self) { try make("new", fails: true) }
        #expect(try temporary.names(in: "") == [])
    }

    @Test("takes no existing name, and touches no folder with a similar one")
    func others() throws {
        try root.createFolders([UInt8]("new.partial".utf8))
        try temporary.write("mine", to: "new.partial/file")
        try make("new")
        #expect(throws: StorageError.self) { try make("new") }
        #expect(temporary.text(of: "new.partial/file") == "mine")
        #expect(try temporary.names(in: "").sorted() == ["new", "new.partial"])
    }
}
