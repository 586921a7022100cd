import Foundation
import Storage
import Testing

@Suite struct LinkingTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    @Test("A file gets another name, and linking it again changes nothing")
    func links() throws {
        try temporary.write("photo", to: "object")
        #expect(try root.link([UInt8]("object"), at: [UInt8]("tree/a.jpg")) == .created)
        #expect(try root.link([UInt8]("object"), at: [UInt8]("tree/a.jpg"), existing: .replace) == .identical)
        #expect(try root.facts(of: [UInt8]("object")).links == 2)
    }

    @Test("A link replaces another file only when asked to, and leaves no other name")
    func switching() throws {
        try temporary.write("one", to: "first")
        try temporary.write("two", to: "second")
        _ = try root.link([UInt8]("first"), at: [UInt8]("tree/a.jpg"))
        #expect(try root.link([UInt8]("second"), at: [UInt8]("tree/a.jpg")) == .kept)
        #expect(temporary.text(of: "tree/a.jpg") == "one")
        #expect(try root.link([UInt8]("second"), at: [UInt8]("tree/a.jpg"), existing: .replace) == .replaced)
        #expect(temporary.text(of: "tree/a.jpg") == "two")
        #expect(try temporary.names(in: "tree") == ["a.jpg"])
    }

    @Test("A sweep removes the files of killed writers, and keeps all others")
    func sweeping() throws {
        try root.createFolders([UInt8]("a/b"))
        try temporary.write("half", to: "a/b/.rawmill-1234.tmp")
        try temporary.write("half", to: "a/.rawmill-photo.jpg.tmp")
        try temporary.write("mine", to: "a/.rawmill-notes")
        try temporary.write("living", to: "a/.rawmill-77.tmp")
        let living = open("\(temporary.path)/a/.rawmill-77.tmp", O_RDONLY)
        flock(living, LOCK_EX)
        defer { close(living) }
        #expect(try root.sweepTemporaries() == 2)
        #expect(try temporary.names(in: "a") == [".rawmill-77.tmp", ".rawmill-notes", "b"])
        #expect(try temporary.names(in: "a/b").isEmpty)
    }

    @Test("Entries are sorted by bytes and have their kinds")
    func entries() throws {
        try root.createFolders([UInt8]("d/sub"))
        try temporary.write("", to: "d/b")
        try temporary.write("", to: "d/A")
        try FileManager.default.createSymbolicLink(atPath: "\(temporary.path)/d/link", withDestinationPath: "b")
        let entries = try root.entries(of: [UInt8]("d"))
        #expect(entries.map { String(decoding: $0.name, as: UTF8.self) } == ["A", "b", "link", "sub"])
        #expect(entries.map(\.kind) == [.file, .file, .link, .folder])
    }

    @Test("Only one holder has the lock, and others see its process and machine")
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
            #expect(refused?.holder?.process == getpid())
            #expect(refused?.holder?.host == ProcessInfo.processInfo.hostName)
            #expect("\(refused!)".contains("process \(getpid()) on \(ProcessInfo.processInfo.hostName)"))
            withExtendedLifetime(lock) {}
        }
        #expect(try hold() == nil)
    }

    @Test("The lock of an older version has a holder without a machine")
    func olderLock() throws {
        try temporary.write("1\n", to: "lock")
        let other = open("\(temporary.path)/lock", O_RDWR)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let refused = #expect(throws: StorageError.self) { _ = try root.lock([UInt8]("lock")) }
        #expect(refused?.holder?.description == "process 1")
    }
}
