import Digest
import Foundation
import Glibc
import Storage
import Synchronization
import Testing

/// Files that are published together.
@Suite struct PublicationBatchTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    private func publish(_ files: [(text: String, path: String, existing: ExistingFile)]) throws -> [Publication] {
        let unnamed = try files.map { try root.write([UInt8]($0.text.utf8), at: $0.path, existing: $0.existing) }
        return try root.publish(unnamed).map { try $0.get() }
    }

    @Test("All files are complete under their names, in new and old folders, without other files")
    func created() throws {
        let done = try publish([
            ("preview", "previews/ab/cd/1.jpg", .replace), ("photo", "objects/ab/cd/1.jpg", .keep),
            ("other", "objects/ab/cd/2.jpg", .keep), ("top", "top.txt", .keep),
        ])
        #expect(done.map(\.outcome) == [.created, .created, .created, .created])
        #expect(done.map(\.digest) == ["preview", "photo", "other", "top"].map { SHA256Value(of: [UInt8]($0.utf8)) })
        #expect(done.map(\.sizeBytes) == [7, 5, 5, 3])
        #expect(try temporary.names(in: "objects/ab/cd") == ["1.jpg", "2.jpg"])
        #expect(temporary.text(of: "previews/ab/cd/1.jpg") == "preview")
        #expect(temporary.text(of: "objects/ab/cd/2.jpg") == "other")
    }

    @Test("A taken name is handled for its own file, and the others are published")
    func taken() throws {
        _ = try publish([("old", "a/1", .keep), ("old", "a/2", .keep), ("same", "a/3", .keep)])
        let done = try publish([
            ("newer", "a/1", .keep), ("newer", "a/2", .replace), ("same", "a/3", .replace), ("new", "a/4", .keep),
        ])
        #expect(done.map(\.outcome) == [.kept, .replaced, .identical, .created])
        #expect(done.map(\.sizeBytes) == [3, 5, 4, 3])
        #expect(temporary.text(of: "a/1") == "old" && temporary.text(of: "a/2") == "newer")
        #expect(try temporary.names(in: "a") == ["1", "2", "3", "4"])
    }

    @Test("A file of the same bytes that is moved away meanwhile is no error")
    func movedAway() throws {
        let path = "\(temporary.path)/a/1"
        let isDone = Mutex(false)
        let mover = Thread { [root] in
            while !isDone.withLock({ $0 }) {
                _ = try? root.publish([UInt8]("same".utf8), at: [UInt8]("a/1"), existing: .keep)
                unlink(path)
            }
        }
        mover.start()
        defer { isDone.withLock { $0 = true } }
        for _ in 0..<4000 {
            let done = try publish([("same", "a/1", .keep)])
            #expect(done.map(\.sizeBytes) == [4])
            #expect(try root.publish([UInt8]("same".utf8), at: [UInt8]("a/1"), existing: .keep).sizeBytes == 4)
        }
    }

    @Test("A file listed twice under the same name is published once")
    func twice() throws {
        let done = try publish([("first", "a/1", .keep), ("second", "a/1", .keep)])
        #expect(done.map(\.outcome) == [.created, .kept])
        #expect(temporary.text(of: "a/1") == "first")
    }

    @Test("A file without a name leaves no trace, even if another process writes it")
    func handedOver() throws {
        let path = [UInt8]("new/folder/1.jpg")
        let blank = try BlankFile(for: path, in: root)
        let sent = BlankFile(owning: dup(blank.descriptor))
        let digest = try Array("photo".utf8).withUnsafeBytes { try sent.fill(with: $0) }
        #expect(try temporary.names() == [])
        #expect(digest == SHA256Value(of: [UInt8]("photo")))
        #expect(throws: StorageError.self) {
            _ = try UnnamedFile(blank, existing: .keep, digest: digest, sizeBytes: 6)
        }
        let results = try root.publish([UnnamedFile(blank, existing: .keep, digest: digest, sizeBytes: 5)])
        #expect(try results.map { try $0.get().outcome } == [.created])
        #expect(temporary.text(of: "new/folder/1.jpg") == "photo")
    }

    @Test("An open file is read by position, also while another process reads it by the same descriptor")
    func shared() throws {
        _ = try publish([("raw", "a", .keep)])
        let file = try OpenFile([UInt8]("a"), in: root)
        let sent = try OpenFile(owning: dup(file.descriptor), path: file.path)
        var hasher = FileHasher(file)
        #expect(try sent.contents(limitBytes: 3) == [UInt8]("raw"))
        lseek(sent.descriptor, 2, SEEK_SET)
        #expect(try hasher.finish() == SHA256Value(of: [UInt8]("raw")))
        #expect(try sent.contents(limitBytes: 3) == [UInt8]("raw"))
        #expect(throws: StorageError.self) { _ = try OpenFile([], in: root) }
        var other = FileHasher(file)
        truncate("\(temporary.path)/a", 1)
        #expect(throws: StorageError.self) { _ = try other.finish() }
    }

    @Test("A file that cannot get its name does not affect the others of its group")
    func partly() throws {
        let files = try ["a/1", "b/1", "c/1", "d/1"].map { try root.write([UInt8]("new".utf8), at: $0) }
        _ = try publish([("old", "a/1", .keep), ("a file", "b", .keep)])
        try FileManager.default.createDirectory(atPath: "\(temporary.path)/c/1", withIntermediateDirectories: true)
        let results = try root.publish(files)
        #expect(try results[0].get().outcome == .kept)
        #expect(try results[3].get().outcome == .created)
        for index in 1...2 { #expect(throws: StorageError.self) { _ = try results[index].get() } }
        #expect(temporary.text(of: "a/1") == "old" && temporary.text(of: "d/1") == "new")
    }
}
