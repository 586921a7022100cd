import Glibc

/// Fills the disk that a folder is on, for a while.
enum TortureDisk {
    /// More than this is not filled: it may be somebody's.
    private static let mostBytes: UInt64 = 1 << 30
    private static let leftBytes: UInt64 = 16 << 10

    private static func free(_ folder: String) -> UInt64 {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return .max }
        return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
    }

    /// - Throws: `CommandFailure` where the disk is too large to be filled.
    static func check(_ folder: String) throws {
        guard free(folder) <= mostBytes else {
            throw CommandFailure(
                "\(folder) is on a disk with more than 1 GiB free, which is not filled: give --folder on a small one.")
        }
    }

    static func fill(_ folder: String, for time: Duration) async throws {
        let path = "\(folder)/ballast"
        let descriptor = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let room = free(folder)
        let error = posix_fallocate(descriptor, 0, off_t(max(1, room > leftBytes ? room - leftBytes : 1)))
        close(descriptor)
        if error == 0 { try? await Task.sleep(for: time) }
        unlink(path)
    }
}
