internal import Glibc

/// A name in a folder. `link` and `other` need a second look (`Root.facts`).
public struct FolderEntry: Hashable, Sendable {
    public let name: [UInt8]
    public let kind: FileFacts.Kind
}

extension Root {
    /// Makes the folder and those above it, each durable; fine where they exist.
    public func createFolders(_ path: [UInt8]) throws(StorageError) {
        if let facts = try factsIfPresent(of: path) {
            if facts.kind == .folder { return }
            throw StorageError(.exists, "create", path)
        }
        if let cut = path.lastIndex(of: UInt8(ascii: "/")) { try createFolders(Array(path[..<cut])) }
        let parent = try parent(of: path, "create")
        guard mkdirat(parent.folder.number, parent.name, 0o777) == 0 || errno == EEXIST else {
            throw StorageError(errno: errno, "create", path)
        }
        try parent.folder.sync()
    }

    /// Calls `body` for each entry, in the order of the file system, without holding more than one.
    public func forEachEntry(
        of path: [UInt8], _ body: (FolderEntry) throws(StorageError) -> Void
    ) throws(StorageError) {
        let folder = try open(path, "list", flags: O_RDONLY | O_DIRECTORY)
        let copy = fcntl(folder.number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0, let stream = fdopendir(copy) else {
            let number = errno
            if copy >= 0 { close(copy) }
            throw StorageError(errno: number, "list", path)
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                if errno != 0 { throw StorageError(errno: errno, "list", path) }
                return
            }
            if let found = FolderEntry(entry, in: folder) { try body(found) }
        }
    }

    /// The entries by name, in byte order.
    public func entries(of path: [UInt8]) throws(StorageError) -> [FolderEntry] {
        var all: [FolderEntry] = []
        try forEachEntry(of: path) { all.append($0) }
        return all.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Removes a file or a link; false where there was none.
    @discardableResult
    public func remove(_ path: [UInt8]) throws(StorageError) -> Bool { try unlink(path, flags: 0) }

    /// Removes an empty folder; false where there was none.
    @discardableResult
    public func removeFolder(_ path: [UInt8]) throws(StorageError) -> Bool { try unlink(path, flags: AT_REMOVEDIR) }

    private func unlink(_ path: [UInt8], flags: Int32) throws(StorageError) -> Bool {
        do throws(StorageError) {
            let parent = try parent(of: path, "remove")
            if unlinkat(parent.folder.number, parent.name, flags) == 0 { return true }
            throw StorageError(errno: errno, "remove", path)
        } catch {
            if error.kind == .notFound { return false }
            throw error
        }
    }

    /// Returns when the folder's entries survive a power cut.
    public func syncFolder(_ path: [UInt8]) throws(StorageError) {
        try open(path, "save", flags: O_RDONLY | O_DIRECTORY).sync(path)
    }
}

extension FolderEntry {
    /// Nil for `.` and `..`.
    fileprivate init?(_ entry: UnsafeMutablePointer<dirent>, in folder: borrowing Descriptor) {
        name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: $0.pointee)) { first in
                (0..<strlen(first)).map { UInt8(bitPattern: first[$0]) }
            }
        }
        if name == [UInt8(ascii: ".")] || name == Array("..".utf8) { return nil }
        switch Int(entry.pointee.d_type) {
        case Int(DT_REG): kind = .file
        case Int(DT_DIR): kind = .folder
        case Int(DT_LNK): kind = .link
        // Some file systems do not say in the listing.
        case Int(DT_UNKNOWN): kind = Self.kind(of: name, in: folder)
        default: kind = .other
        }
    }

    private static func kind(of name: [UInt8], in folder: borrowing Descriptor) -> FileFacts.Kind {
        var status = stat()
        let text = name.map(CChar.init(bitPattern:)) + [0]
        return fstatat(folder.number, text, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileFacts(status).kind : .other
    }
}
