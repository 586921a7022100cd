internal import Glibc

/// Device and inode, which identify a file regardless of its path.
public struct FileID: Hashable, Sendable {
    /// The file's device.
    public let device: UInt64
    /// The inode on that device.
    public let inode: UInt64
}

/// A file's metadata from the file system.
public struct FileFacts: Hashable, Sendable {
    /// File types that Rawmill distinguishes.
    public enum Kind: Int, Hashable, Sendable {
        case file, folder, link
        /// A device, a pipe or a socket.
        case other
        /// Only in a folder's listing, if the file system omits the type.
        case unknown
    }

    /// Never `unknown`.
    public let kind: Kind
    /// Size in bytes.
    public let sizeBytes: UInt64
    /// Nanoseconds since 1970. Times after 2262 wrap around, but still distinguish files.
    public let modifiedNanoseconds: Int64
    /// Last change of contents, names or attributes (ctime), in nanoseconds since 1970. Programs cannot set it.
    public let changedNanoseconds: Int64
    /// Device and inode.
    public let id: FileID
    /// Number of hard links.
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

    /// Facts of an absolute path, following links. Throws `notFound`; `badPath` for a path with a zero byte.
    public init(absolutePath path: [UInt8]) throws(StorageError) {
        guard !path.contains(0) else { throw StorageError(errno: EINVAL, "look at", path) }
        var status = stat()
        guard unsafe path.withCString({ unsafe stat($0, &status) }) == 0 else {
            throw StorageError(errno: errno, "look at", path)
        }
        self.init(status)
    }

    /// Whether this is the same file with the same bytes as before, as far as the file system shows.
    public func isUnchanged(since earlier: FileFacts) -> Bool {
        id == earlier.id && sizeBytes == earlier.sizeBytes && modifiedNanoseconds == earlier.modifiedNanoseconds
    }
}
