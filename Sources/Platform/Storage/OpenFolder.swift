internal import Glibc

/// An open folder, whose entries are accessed by name without resolving its path again.
public final class OpenFolder: Sendable {
    /// As opened: relative to its root, or absolute.
    public let path: [UInt8]
    private let descriptor: Descriptor

    private static let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

    init(path: [UInt8], descriptor: consuming Descriptor) {
        self.path = path
        self.descriptor = descriptor
    }

    /// Opens a folder outside any root.
    ///
    /// - Parameter path: absolute. A link in its last part is not followed.
    public convenience init(absolutePath path: [UInt8]) throws(StorageError) {
        let number = retrying { unsafe path.withCString { unsafe Glibc.open($0, Self.flags) } }
        guard number >= 0 else { throw StorageError(errno: errno, "open", path) }
        self.init(path: path, descriptor: Descriptor(owning: number))
    }

    /// Opens a subfolder. Does not follow links.
    public func openFolder(_ name: [UInt8]) throws(StorageError) -> OpenFolder {
        let child = path(of: name)
        let number = retrying { unsafe name.withCString { unsafe openat(descriptor.number, $0, Self.flags) } }
        guard number >= 0 else { throw StorageError(errno: errno, "open", child) }
        return OpenFolder(path: child, descriptor: Descriptor(owning: number))
    }

    var number: Int32 { descriptor.number }

    /// Device and inode.
    public func id() throws(StorageError) -> FileID { try descriptor.facts("look at", path).id }

    /// Facts of an entry.
    ///
    /// - Parameter followingLinks: inspects a link's target instead of the link.
    public func facts(of name: [UInt8], followingLinks: Bool = false) throws(StorageError) -> FileFacts {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe name.withCString({ unsafe fstatat(descriptor.number, $0, &status, flags) }) == 0 else {
            throw StorageError(errno: errno, "look at", path(of: name))
        }
        return FileFacts(status)
    }

    /// True if the folder certainly has no such entry.
    public func isFree(_ name: [UInt8]) -> Bool {
        do throws(StorageError) {
            _ = try facts(of: name)
            return false
        } catch {
            return error.kind == .notFound
        }
    }

    /// Checks that this process may read a file, as far as possible without opening it.
    ///
    /// - Throws: why it may not.
    public func checkReadable(_ name: [UInt8]) throws(StorageError) {
        guard unsafe name.withCString({ unsafe faccessat(descriptor.number, $0, R_OK, AT_EACCESS) }) == 0 else {
            throw StorageError(errno: errno, "read", path(of: name))
        }
    }

    /// Reads the entries from the start. Only one reader at a time.
    public func reader() throws(StorageError) -> FolderReader { try FolderReader(self) }

    /// Waits until the folder's entries survive a power failure.
    public func sync() throws(StorageError) { try descriptor.sync(path) }

    func syncFileSystem() -> Bool { descriptor.syncFileSystem() }
    var device: UInt64? { descriptor.device }

    private func path(of name: [UInt8]) -> [UInt8] {
        path.isEmpty || path.last == UInt8(ascii: "/") ? path + name : path + [UInt8(ascii: "/")] + name
    }
}

extension OpenFolder: Syncable {}

/// An entry of a folder.
public struct FolderEntry: Hashable, Sendable {
    /// Name in the folder.
    public let name: [UInt8]
    /// Type from the listing; links are not followed.
    public let kind: FileFacts.Kind

    /// - Parameter kind: `unknown` if the file system omits it.
    public init(name: [UInt8], kind: FileFacts.Kind) {
        self.name = name
        self.kind = kind
    }
}

/// Reads the entries of a folder one by one, in the file system's order, without `.` and `..`.
///
/// Safe: the pointer is private and valid as long as the value.
@safe public struct FolderReader: ~Copyable {
    private let stream: OpaquePointer
    private let path: [UInt8]

    fileprivate init(_ folder: OpenFolder) throws(StorageError) {
        path = folder.path
        // A duplicate, because opening "." fails for a folder that may be read but not searched.
        let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let number = errno
            if copy >= 0 { close(copy) }
            throw StorageError(errno: number, "list", path)
        }
        unsafe self.stream = stream
        // The duplicate shares its position with the folder, which an earlier reader may have moved.
        unsafe rewinddir(stream)
    }

    deinit { unsafe closedir(stream) }

    /// The next entry; nil at the end.
    public mutating func next() throws(StorageError) -> FolderEntry? {
        while true {
            errno = 0
            guard let entry = unsafe readdir(stream) else {
                if errno != 0 { throw StorageError(errno: errno, "list", path) }
                return nil
            }
            let name = unsafe Self.name(of: entry)
            if name != Array(".".utf8), name != Array("..".utf8) {
                return unsafe FolderEntry(name: name, kind: Self.kind(entry.pointee.d_type))
            }
        }
    }

    /// The kernel's records are shorter than `dirent`, so only the name's bytes may be read.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
        let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19
        let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
        return unsafe Array(
            UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
    }

    private static func kind(_ type: UInt8) -> FileFacts.Kind {
        switch Int(type) {
        case Int(DT_REG): .file
        case Int(DT_DIR): .folder
        case Int(DT_LNK): .link
        case Int(DT_UNKNOWN): .unknown
        default: .other
        }
    }
}
