import Database
import ExternalTools
import Foundation
import Glibc
import Testing

@Suite("A database whose disk is full", .needs(.mounting))
struct FullDiskTests {
    /// A file system of 256 kB. It goes with the value.
    private final class SmallDisk: Sendable {
        let path = FileManager.default.temporaryDirectory.path + "/rawmill-disk-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try #require(mount("tmpfs", path, "tmpfs", 0, "size=262144") == 0)
        }

        deinit {
            umount2(path, Int32(MNT_DETACH))
            rmdir(path)
        }

        /// Leaves no page free.
        func fill() throws {
            let file = open("\(path)/rest", O_WRONLY | O_CREAT, 0o600)
            try #require(file >= 0)
            let page = [UInt8](repeating: 1, count: 4096)
            while write(file, page, page.count) > 0 {}
            close(file)
        }

        func free() { unlink("\(path)/rest") }
    }

    private let disk: SmallDisk
    private var path: String { "\(disk.path)/test.sqlite" }

    init() throws {
        disk = try SmallDisk()
        try Connection(path: path).script("CREATE TABLE t (x); INSERT INTO t VALUES ('kept');")
    }

    @Test("Who opens it reads that the disk is full, not that it is broken", arguments: [false, true])
    func opening(isReading: Bool) throws {
        let mode: Connection.Mode = isReading ? .readOnly : .readWrite
        try disk.fill()
        do {
            _ = try Connection(path: path, mode: mode).all("SELECT x FROM t") { $0.text(0) }
            Issue.record("there was room for the log's index")
        } catch let error as DatabaseError {
            #expect(error.kind == .diskFull)
            #expect(error.message == "its disk is full" && error.statement == nil)
            #expect(error.description.hasSuffix(". Free some space and run the same command again."))
        }
        disk.free()
        #expect(try Connection(path: path, mode: mode).all("SELECT x FROM t") { $0.text(0) } == ["kept"])
    }
}
