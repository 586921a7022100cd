internal import Glibc

/// The device and inode number that tell a file from all others, whatever its path.
public struct FileID: Hashable, Sendable {
    /// The device that the file is on.
    public let device: UInt64
    /// The file's number on that device.
    public let inode: UInt64
}

/// What the file system says about a file.
public struct FileFacts: Hashable, Sendable {
    /// The kinds of files that Rawmill tells apart.
    public enum Kind: Int, Hashable, Sendable {
        case file, folder, link
        /// A device, a pipe or a socket.
        case other
        /// Only in a folder's listing, where a file system leaves the kind out.
        case unknown
    }

    /// A file, a folder, a link or something else; never `unknown`.
    public let kind: Kind
    /// The file's size.
    public let sizeBytes: UInt64
    /// Nanoseconds since 1970. Times after the year 2262 wrap around; they still tell files apart.
    public let modifiedNanoseconds: Int64
    /// When the system last changed the file's contents, names or attributes, in nanoseconds since 1970. No program can
    /// set it.
    public let changedNanoseconds: Int64
    /// Device and inode.
    public let id: FileID
    /// The number of names that the file has.
    public let links: UInt64

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: kind = .file
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
        sizeBytes = UInt64(clamping: status.st_size)
        modifiedNanoseconds = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
        changedNanoseconds = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
        id = FileID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        links = UInt64(status.st_nlink)
    }

    /// The facts of what an absolute path names. Links are followed.
    ///
    /// - Throws: `notFound` if nothing has that name, `badPath` for a name with a zero byte.
    public init(absolutePath path: [UInt8]) throws(StorageError) {
        guard !path.contains(0) else { throw StorageError(errno: EINVAL, "look at", path) }
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else { throw StorageError(errno: errno, "look at", path) }
        self.init(status)
    }

    /// True if this is the same file with the same bytes as before, as far as the file system tells.
    public func isUnchanged(since earlier: FileFacts) -> Bool {
        id == earlier.id && sizeBytes == earlier.sizeBytes && modifiedNanoseconds == earlier.modifiedNanoseconds
    }
}
