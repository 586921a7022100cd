import Foundation
import Storage
import Testing

@Suite("Names shared with users' files") struct SharedNameTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }
    let name = [UInt8]("tree/a.jpg")

    init() throws {
        temporary = try TemporaryRoot()
        try temporary.write("one", to: "first")
        try temporary.write("two", to: "second")
    }

    @discardableResult
    func place(_ object: String, replacing isOurs: (FoundFile) throws -> Bool = { _ in false }) throws -> Placement {
        let folder = try root.openFolder([UInt8]("tree"))
        let file = try StagedFile(copyOf: [UInt8](object), in: root, for: folder, at: name)
        try StagedFile.sync([file])
        return try root.place(file, at: name, in: folder, replacing: isOurs)
    }

    func names() throws -> [String] { try temporary.names(in: "tree") }

    @Test("A copy gets a free name, and writing to it leaves the original unchanged")
    func copies() throws {
        try place("first")
        #expect(temporary.text(of: "tree/a.jpg") == "one")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(temporary.path)/tree/a.jpg"))
        try handle.write(contentsOf: Data("ONE".utf8))
        #expect(temporary.text(of: "first") == "one")
        #expect(try names() == ["a.jpg"])
    }

    @Test("Rawmill's own file is replaced, and a foreign one keeps its name")
    func replacing() throws {
        try place("first")
        #expect(try place("second") == .occupied)
        #expect(temporary.text(of: "tree/a.jpg") == "one")
        #expect(try place("second", replacing: { _ in true }) != .occupied)
        #expect(temporary.text(of: "tree/a.jpg") == "two")
        #expect(try names() == ["a.jpg"])
    }

    @Test("Only a free name is used without checking its holder and set-aside files")
    func freeNames() throws {
        let folder = try root.openFolder([UInt8]("tree"))
        func placeIfFree(_ object: String) throws -> FileFacts? {
            try root.placeIfFree(
                try StagedFile(copyOf: [UInt8](object), in: root, for: folder, at: name), at: name, in: folder)
        }
        let aside = "tree/.rawmill-a.jpg.aside"
        try temporary.write("a person's", to: aside)
        #expect(try placeIfFree("first") == nil)
        #expect(try names() == [".rawmill-a.jpg.aside"])
        try FileManager.default.removeItem(atPath: "\(temporary.path)/\(aside)")
        #expect(try placeIfFree("first")?.sizeBytes == 3)
        #expect(try placeIfFree("second") == nil)
        #expect(temporary.text(of: "tree/a.jpg") == "one")
        #expect(try names() == ["a.jpg"])
    }

    @Test("A file that a user adds between check and swap gets its name back", arguments: [false, true])
    func race(withdraws: Bool) throws {
        try place("first")
        let path = "\(temporary.path)/tree/a.jpg"
        func swap(_ found: FoundFile) throws -> Bool {
            try Data("edited".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            return true
        }
        if withdraws {
            let folder = try root.openFolder([UInt8]("tree"))
            #expect(try !root.withdraw(name, in: folder, if: swap))
        } else {
            #expect(try place("second", replacing: swap) == .occupied)
        }
        #expect(temporary.text(of: "tree/a.jpg") == "edited")
        #expect(try names() == ["a.jpg"])
    }

    @Test("A file that another program has open for writing is neither replaced nor removed")
    func openForWriting() throws {
        try place("first")
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(temporary.path)/tree/a.jpg"))
        #expect(try place("second", replacing: { _ in true }) == .occupied)
        let folder = try root.openFolder([UInt8]("tree"))
        #expect(try !root.withdraw(name, in: folder, if: { _ in true }))
        try handle.write(contentsOf: Data("late".utf8))
        try handle.close()
        #expect(temporary.text(of: "tree/a.jpg") == "late")
        #expect(try root.withdraw(name, in: folder, if: { _ in true }))
        #expect(try names().isEmpty)
    }

    @Test("Set-aside files of a dead process are removed if they are Rawmill's, and restored otherwise")
    func leftAside() throws {
        try place("first")
        let aside = "tree/.rawmill-a.jpg.aside"
        try temporary.write("ours", to: aside)
        try place("second", replacing: { _ in true })
        #expect(try names() == ["a.jpg"])
        try temporary.write("a person's", to: aside)
        #expect(try root.sweepTemporaries() == 0)
        try place("first", replacing: { $0.facts.sizeBytes == 3 })
        #expect(try names() == ["a (kept).jpg", "a.jpg"])
        #expect(temporary.text(of: "tree/a (kept).jpg") == "a person's")
        #expect(temporary.text(of: "tree/a.jpg") == "one")
    }

    @Test("A RAW that cannot share blocks is another, read-only name of its object")
    func links() throws {
        let folder = try root.openFolder([UInt8]("tree"))
        let file = try StagedFile(linking: [UInt8]("first"), in: root, for: folder, at: name)
        guard case .placed(let facts) = try root.place(file, at: name, in: folder, replacing: { _ in false }) else {
            Issue.record("the name was free")
            return
        }
        guard file.sharing == .everything else { return }
        #expect(try root.facts(of: [UInt8]("first")).id == facts.id)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(temporary.path)/first")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o444)
    }
}
