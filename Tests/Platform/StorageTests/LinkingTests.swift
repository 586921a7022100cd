import Foundation
import Storage
import Testing

@Suite struct LinkingTests {
    let scratch = try! Scratch()
    var root: Root { scratch.root }

    @Test("A file gets a further name; again changes nothing")
    func links() throws {
        try scratch.write("photo", to: "object")
        #expect(try root.link([UInt8]("object"), at: [UInt8]("tree/a.jpg")) == .created)
        #expect(try root.link([UInt8]("object"), at: [UInt8]("tree/a.jpg"), existing: .replace) == .identical)
        #expect(try root.facts(of: [UInt8]("object")).links == 2)
    }

    @Test("A name is switched to another file atomically, and only when asked to")
    func switching() throws {
        try scratch.write("one", to: "first")
        try scratch.write("two", to: "second")
        _ = try root.link([UInt8]("first"), at: [UInt8]("tree/a.jpg"))
        #expect(try root.link([UInt8]("second"), at: [UInt8]("tree/a.jpg")) == .kept)
        #expect(scratch.text(of: "tree/a.jpg") == "one")
        #expect(try root.link([UInt8]("second"), at: [UInt8]("tree/a.jpg"), existing: .replace) == .replaced)
        #expect(scratch.text(of: "tree/a.jpg") == "two")
        #expect(try scratch.names(in: "tree") == ["a.jpg"])
    }

    @Test("What killed writers left is swept; what a living one writes, and everything else, stays")
    func sweeping() throws {
        try root.createFolders([UInt8]("a/b"))
        try scratch.write("half", to: "a/b/.rawmill-1234.tmp")
        try scratch.write("half", to: "a/.rawmill-photo.jpg.tmp")
        try scratch.write("mine", to: "a/.rawmill-notes")
        try scratch.write("living", to: "a/.rawmill-77.tmp")
        let living = open("\(scratch.path)/a/.rawmill-77.tmp", O_RDONLY)
        flock(living, LOCK_EX)
        defer { close(living) }
        #expect(try root.sweepTemporaries() == 2)
        #expect(try scratch.names(in: "a") == [".rawmill-77.tmp", ".rawmill-notes", "b"])
        #expect(try scratch.names(in: "a/b").isEmpty)
    }

    @Test("Entries come sorted by bytes, with their kinds")
    func entries() throws {
        try root.createFolders([UInt8]("d/sub"))
        try scratch.write("", to: "d/b")
        try scratch.write("", to: "d/A")
        try FileManager.default.createSymbolicLink(atPath: "\(scratch.path)/d/link", withDestinationPath: "b")
        let entries = try root.entries(of: [UInt8]("d"))
        #expect(entries.map { String(decoding: $0.name, as: UTF8.self) } == ["A", "b", "link", "sub"])
        #expect(entries.map(\.kind) == [.file, .file, .link, .folder])
    }

    @Test("Only one holder at a time has the lock, and the others learn who")
    func locks() throws {
        func hold() throws -> StorageError? {
            do {
                _ = try root.lock([UInt8](".rawmill/lock"))
                return nil
            } catch { return error }
        }
        do {
            let lock = try root.lock([UInt8](".rawmill/lock"))
            let refused = try hold()
            #expect(refused?.kind == .locked)
            #expect(refused?.holder == getpid())
            withExtendedLifetime(lock) {}
        }
        #expect(try hold() == nil)
    }
}
