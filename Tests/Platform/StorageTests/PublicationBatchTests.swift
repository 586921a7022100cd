import Digest
import Foundation
import Storage
import Testing

/// Files that are published together.
@Suite struct PublicationBatchTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    private func publish(_ files: [(text: String, path: String, existing: ExistingFile)]) throws -> [Publication] {
        // The buffers live as long as the arrays that they were made from.
        let buffers = files.map { file in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: file.text.utf8.count, alignment: 1)
            buffer.copyBytes(from: file.text.utf8)
            return UnsafeRawBufferPointer(buffer)
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        return try root.publish(
            zip(files, buffers).map { FileToPublish($1, at: [UInt8]($0.path.utf8), existing: $0.existing) })
    }

    @Test("All files are whole under their names, in new folders and old ones, and nothing else is there")
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

    @Test("A name that is taken is decided for its own file, and the others are published")
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

    @Test("A file that twice has the same name is published once")
    func twice() throws {
        let done = try publish([("first", "a/1", .keep), ("second", "a/1", .keep)])
        #expect(done.map(\.outcome) == [.created, .kept])
        #expect(temporary.text(of: "a/1") == "first")
    }

    @Test("None gets its name where one cannot be written, and the error names the file")
    func refused() throws {
        _ = try publish([("a file", "a", .keep)])
        do {
            _ = try publish([("photo", "b/1", .keep), ("photo", "a/1", .keep)])
            Issue.record("it was published")
        } catch let error as StorageError {
            #expect("\(error)".contains("a/1") || "\(error)".contains("a"))
        }
        #expect(try temporary.names(in: "b") == [])
    }
}
