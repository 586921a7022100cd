import Digest
import Foundation
import Glibc
import Storage
import Testing

@Suite struct ReadingTests {
    let temporary: TemporaryRoot
    var root: Root { temporary.root }

    init() throws { temporary = try TemporaryRoot() }

    @Test("A file is read and hashed completely, and a smaller one after it has only its own bytes")
    func reuse() throws {
        let large = [UInt8]((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
        _ = try root.publish(large, at: [UInt8]("large"))
        try temporary.write("small", to: "small")
        var buffer = FileBuffer()
        let first = try root.read([UInt8]("large"), into: &buffer, limitBytes: 1 << 30)
        #expect(Array(buffer.bytes) == large)
        #expect(first.digest == SHA256Value(of: large))
        let second = try root.read([UInt8]("small"), into: &buffer, limitBytes: 1 << 30)
        #expect(Array(buffer.bytes) == [UInt8]("small"))
        #expect(second.digest == SHA256Value(of: [UInt8]("small")))
        #expect(try root.digest(of: [UInt8]("large")) == first)
    }

    @Test("The pieces of a loaded file form the file", arguments: [0, 1, 1 << 20, (1 << 20) + 1, 3_000_000])
    func pieces(count: Int) throws {
        let bytes = [UInt8]((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })
        _ = try root.publish(bytes, at: [UInt8]("file"))
        var buffer = FileBuffer()
        var pieces: [UInt8] = []
        let facts = try root.load([UInt8]("file"), into: &buffer, limitBytes: 1 << 30) { pieces += $0 }
        #expect(Array(buffer.bytes) == bytes)
        #expect(pieces == bytes)
        #expect(facts.sizeBytes == UInt64(count))
    }

    @Test("Announcing a file has no other effect, even if its name is a pipe or a folder", .timeLimit(.minutes(1)))
    func announcing() throws {
        try temporary.write("file", to: "file")
        mkfifo("\(temporary.path)/pipe", 0o600)
        mkdir("\(temporary.path)/folder", 0o700)
        for name in ["file", "pipe", "folder", "none", "file/none"] {
            for count in [0, 1 << 18, Int.max] { root.announce([UInt8](name.utf8), byteCount: count) }
        }
        #expect(try root.contents(of: [UInt8]("file"), limitBytes: 9) == [UInt8]("file"))
    }

    @Test("All of an announced file is read from the disk, not only the system's read-ahead")
    func announcedWhole() throws {
        let count = 8 << 20
        _ = try root.publish([UInt8](repeating: 7, count: count), at: [UInt8]("file"))
        let file = open("\(temporary.path)/file", O_RDONLY)
        defer { close(file) }
        let mapped = try #require(mmap(nil, count, PROT_READ, MAP_SHARED, file, 0))
        defer { munmap(mapped, count) }
        func pagesInMemory() -> Int {
            var pages = [UInt8](repeating: 0, count: count / Int(getpagesize()))
            mincore(mapped, count, &pages)
            return pages.count { $0 & 1 == 1 }
        }
        posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED)
        guard pagesInMemory() == 0 else { return print("Not tried: this file system keeps in memory what it wrote.") }
        root.announce([UInt8]("file"), byteCount: count)
        let end = Date().addingTimeInterval(20)
        while pagesInMemory() < count / Int(getpagesize()), Date() < end { usleep(10_000) }
        #expect(pagesInMemory() == count / Int(getpagesize()))
    }

    @Test("An empty file has no bytes, and the digest of no bytes")
    func empty() throws {
        try temporary.write("", to: "empty")
        var buffer = FileBuffer()
        let read = try root.read([UInt8]("empty"), into: &buffer, limitBytes: 10)
        #expect(buffer.bytes.isEmpty)
        #expect(read.digest == SHA256Value(of: [UInt8]()))
    }

    @Test("A file beyond the limit is refused before it is read")
    func limit() throws {
        try temporary.write("12345", to: "five")
        var buffer = FileBuffer()
        #expect(kind { _ = try root.read([UInt8]("five"), into: &buffer, limitBytes: 4) } == .tooLarge)
        #expect(kind { _ = try root.read([UInt8]("five"), into: &buffer, limitBytes: 5) } == nil)
    }

    @Test("A file other than the expected one is reported as changed")
    func expected() throws {
        try temporary.write("12345", to: "file")
        let facts = try root.facts(of: [UInt8]("file"))
        let good = ExpectedFile(sizeBytes: facts.sizeBytes, modifiedNanoseconds: facts.modifiedNanoseconds)
        var buffer = FileBuffer()
        #expect(kind { _ = try root.read([UInt8]("file"), into: &buffer, limitBytes: 10, expecting: good) } == nil)
        for other in [
            ExpectedFile(sizeBytes: 6, modifiedNanoseconds: facts.modifiedNanoseconds),
            ExpectedFile(sizeBytes: 5, modifiedNanoseconds: facts.modifiedNanoseconds + 1),
        ] {
            #expect(
                kind { _ = try root.read([UInt8]("file"), into: &buffer, limitBytes: 10, expecting: other) } == .changed
            )
        }
    }

    @Test("A file that is written while it is read is reported as changed")
    func changing() throws {
        let path = "\(temporary.path)/moving"
        try Data(count: 64 << 20).write(to: URL(fileURLWithPath: path))
        let writer = Thread {
            let file = open(path, O_WRONLY)
            while !Thread.current.isCancelled {
                pwrite(file, "x", 1, 5)
                usleep(200)
            }
            close(file)
        }
        writer.start()
        defer { writer.cancel() }
        var buffer = FileBuffer()
        // On a busy machine the writer may get no time while the file is read.
        let end = ContinuousClock.now + .seconds(60)
        var found: StorageError.Kind?
        while found == nil, ContinuousClock.now < end {
            found = kind { _ = try root.read([UInt8]("moving"), into: &buffer, limitBytes: 1 << 30) }
        }
        #expect(found == .changed)
    }

    @Test("Folders, pipes and devices are not read")
    func kinds() throws {
        try root.createFolders([UInt8]("folder"))
        mkfifo("\(temporary.path)/pipe", 0o600)
        #expect(kind { _ = try root.contents(of: [UInt8]("folder"), limitBytes: 10) } == .wrongKind)
        #expect(kind { _ = try root.contents(of: [UInt8]("pipe"), limitBytes: 10) } == .wrongKind)
        let devices = try Root(path: "/dev")
        #expect(kind { _ = try devices.contents(of: [UInt8]("zero"), limitBytes: 10) } == .wrongKind)
    }
}
