internal import Glibc

/// What the file system says about a file.
public struct FileFacts: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case file, folder, link, other
    }

    public let kind: Kind
    public let sizeBytes: UInt64
    /// Nanoseconds since 1970. Times beyond the year 2262 wrap around: they tell files apart all the same.
    public let modifiedNanoseconds: Int64
    public let device: UInt64
    public let inode: UInt64
    /// Names the file has.
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
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        links = UInt64(status.st_nlink)
    }

    /// True while it is the same file with the same bytes, as far as the file system tells.
    public func isUnchanged(since earlier: FileFacts) -> Bool {
        device == earlier.device && inode == earlier.inode && sizeBytes == earlier.sizeBytes
            && modifiedNanoseconds == earlier.modifiedNanoseconds
    }
}
