import Foundation
import Storage
import Testing

@Suite("A folder's identity")
struct FolderIdentityTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    private let path = [UInt8](".rawmill/library.id")

    @Test("is created once, stays, and differs between folders")
    func made() throws {
        #expect(try root.identity(at: path) == nil)
        let identity = try root.makeIdentity(at: path)
        #expect(try root.makeIdentity(at: path) == identity && root.identity(at: path) == identity)
        let other = try TemporaryRoot()
        #expect(try other.root.makeIdentity(at: path) != identity)
        #expect(try temporary.names(in: ".rawmill") == ["library.id"])
    }

    @Test("is unique, even if several processes create it at the same moment")
    func raced() async throws {
        let (root, path) = (root, path)
        let made = try await withThrowingTaskGroup(of: FolderIdentity.self) { group in
            for _ in 0..<16 { group.addTask { try root.makeIdentity(at: path) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(made.count == 1)
    }

    @Test("that cannot be read is an error, not another identity")
    func damaged() throws {
        try root.createFolders([UInt8](".rawmill"))
        try temporary.write("nonsense", to: ".rawmill/library.id")
        #expect(throws: StorageError.self) { try root.identity(at: path) }
        #expect(throws: StorageError.self) { try root.makeIdentity(at: path) }
        #expect(temporary.text(of: ".rawmill/library.id") == "nonsense")
    }
}

@Suite("A sample of a folder")
struct FolderSampleTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws {
        temporary = try TemporaryRoot()
        for folder in ["2019", "2020", "2021"] {
            try root.createFolders([UInt8](folder))
            for number in 0..<20 { try temporary.write("\(folder) \(number)", to: "\(folder)/IMG_\(number).CR2") }
        }
    }

    @Test("recognises its folder after photos were added and removed, and no empty folder")
    func growth() throws {
        let sample = try FolderSample(of: root)
        #expect(sample.entries.count > 10)
        #expect(try sample.matches(root))
        try root.createFolders([UInt8]("2022"))
        for number in 0..<500 { try temporary.write("new", to: "2022/IMG_\(number).CR2") }
        for number in 0..<20 { try root.remove([UInt8]("2019/IMG_\(number).CR2")) }
        #expect(try sample.matches(root))
        let empty = try TemporaryRoot()
        #expect(try !sample.matches(empty.root))
    }

    @Test("recognises a folder all of whose photos were moved away")
    func emptied() throws {
        let sample = try FolderSample(of: root)
        for folder in ["2019", "2020", "2021"] {
            for number in 0..<20 { try root.remove([UInt8]("\(folder)/IMG_\(number).CR2")) }
        }
        #expect(try sample.matches(root))
    }

    @Test("does not recognise a folder that has little more than a name in common")
    func other() throws {
        let sample = try FolderSample(of: root)
        let other = try TemporaryRoot()
        try other.root.createFolders([UInt8]("2019"))
        try other.write("other bytes", to: "2019/IMG_0.CR2")
        #expect(try !sample.matches(other.root))
    }

    @Test("is decided by the operator's mark if there is one")
    func mark() throws {
        try temporary.write(" family archive\n", to: ".rawmill-root")
        let sample = try FolderSample(of: root)
        #expect(sample.mark == "family archive")
        #expect(try sample.matches(root))
        try temporary.write("another", to: ".rawmill-root")
        #expect(try !sample.matches(root))
    }

    @Test("of an empty folder matches any, because nothing is known")
    func unknown() throws {
        let empty = try TemporaryRoot()
        let sample = try FolderSample(of: empty.root)
        #expect(sample.isEmpty)
        #expect(try sample.matches(root))
    }

    @Test("writes nothing into the folder")
    func readOnly() throws {
        let before = try temporary.names(in: "")
        _ = try FolderSample(of: root).matches(root)
        #expect(try temporary.names(in: "") == before)
    }
}
