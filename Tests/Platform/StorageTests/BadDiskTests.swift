import Digest
import ExternalTools
import Foundation
import Glibc
import Storage
import Testing

/// A file system of a few pages. A test that uses it says `.needs(.mounting)`.
final class TinyDisk {
    let path: String

    init(bytes: Int) throws {
        path = FileManager.default.temporaryDirectory.path + "/rawmill-disk-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
    }

    func makeReadOnly() { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }
}

@Suite(.needs(.mounting)) struct BadDiskTests {
    @Test("A full disk is reported as full, no file gets the name, and writing works again once there is space")
    func full() throws {
        let disk = try TinyDisk(bytes: 256 << 10)
        let root = try Root(path: disk.path)
        let bytes = [UInt8](repeating: 7, count: 400 << 10)
        #expect(kind { _ = try root.publish(bytes, at: [UInt8]("photo.jpg")) } == .diskFull)
        #expect(kind { try root.probeWriting(bytes: 1 << 20) } == .diskFull)
        #expect(try root.entries(of: []).isEmpty)
        _ = try root.publish([UInt8](repeating: 7, count: 100 << 10), at: [UInt8]("photo.jpg"))
        try root.probeWriting(bytes: 64 << 10)
        #expect(try root.entries(of: []).map(\.name) == [[UInt8]("photo.jpg")])
    }

    @Test("A read-only file system is reported as read-only")
    func readOnly() throws {
        let disk = try TinyDisk(bytes: 256 << 10)
        let root = try Root(path: disk.path)
        disk.makeReadOnly()
        #expect(kind { _ = try root.publish([1], at: [UInt8]("photo.jpg")) } == .readOnly)
        #expect(kind { try root.probeWriting(bytes: 1) } == .readOnly)
    }
}
