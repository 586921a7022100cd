import CommandLineTool
import Glibc

/// Fills a folder's disk for a while.
enum DiskFiller {
    /// A disk with more free space is not filled: other programs may use it.
    private static let maxBytes: UInt64 = 1 << 30
    private static let remainingBytes: UInt64 = 16 << 10

    private static func freeBytes(_ folder: String) -> UInt64 {
        var facts = statvfs()
        guard unsafe statvfs(folder, &facts) == 0 else { return .max }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }

    /// - Throws: `CommandFailure` if the disk is too large to be filled.
    static func check(_ folder: String) throws {
        guard freeBytes(folder) <= maxBytes else {
            throw CommandFailure(
                "\(folder) is on a disk with more than 1 GiB free, which is not filled: give --folder on a small one.")
        }
    }

    /// Fills the disk except for a few kilobytes, waits, and frees it again.
    static func fill(_ folder: String, for time: Duration) async throws {
        let path = "\(folder)/ballast"
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let free = freeBytes(folder)
        let error = posix_fallocate(descriptor, 0, off_t(max(1, free > remainingBytes ? free - remainingBytes : 1)))
        close(descriptor)
        if error == 0 { try? await Task.sleep(for: time) }
        unsafe unlink(path)
    }
}
