import Foundation
import Glibc
import Testing

/// A small file system for tests of full disks, removed with the object. Mounting needs `.needs(.mounting)`.
public final class SmallDisk: Sendable {
    /// The mount point.
    public let path = FileManager.default.temporaryDirectory.path + "/rawmill-disk-\(UUID().uuidString)"

    public init(bytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0)
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    public func makeReadOnly() { mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") }

    /// Fills the last page.
    public func fill() throws {
        let file = open("\(path)/rest", O_WRONLY | O_CREAT, 0o600)
        try #require(file >= 0)
        let page = [UInt8](repeating: 1, count: 4096)
        while write(file, page, page.count) > 0 {}
        close(file)
    }

    /// Frees space again.
    public func free() { unlink("\(path)/rest") }

    /// Makes the disk larger.
    public func grow(toBytes bytes: Int) throws {
        try #require(mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(bytes)") == 0)
    }
}
