internal import CFiles
internal import Glibc

/// An open folder; paths are resolved below it and cannot lead out of it.
///
/// Paths are bytes relative to the root, separated by `/`; the empty path is the root. Links are followed as long as
/// they stay below the root (openat2 with RESOLVE_BENEATH). A root holds one descriptor, closed with the last
/// reference.
public final class Root: Sendable {
    /// The root's path as given, for errors.
    public let path: String
    private let folder: Descriptor

    /// Opens a root; `creating` creates the folder and its parents if missing. Throws `notFound`, `permissionDenied` or
    /// another kind if the folder cannot be opened.
    public init(path: String, creating: Bool = false) throws(StorageError) {
        self.path = path
        if creating { try Self.create(path) }
        let number = retrying { unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw StorageError(errno: errno, "open", Array(path.utf8)) }
        folder = Descriptor(owning: number)
    }

    private static func create(_ path: String) throws(StorageError) {
        let bytes = Array(path.utf8)
        let slash = UInt8(ascii: "/")
        for end in bytes.indices where end == bytes.count - 1 || end > 0 && bytes[end] == slash {
            let part = String(decoding: bytes[...end], as: UTF8.self)
            guard unsafe mkdir(part, 0o777) != 0 else { continue }
            // Before the next call overwrites it.
            let reason = errno
            if reason != EEXIST, reason != EISDIR, unsafe access(part, F_OK) != 0 {
                throw StorageError(errno: reason, "create", bytes)
            }
        }
    }

    // MARK: Resolving paths

    /// Opens a file or folder below the root.
    ///
    /// - Parameter action: a verb for errors: "read".
    func open(_ path: [UInt8], _ action: String, flags: Int32, mode: UInt64 = 0) throws(StorageError) -> Descriptor {
        guard !path.contains(0) else { throw StorageError(.badPath, action, path) }
        let name = (path.isEmpty ? [UInt8(ascii: ".")] : path).cString
        // openat2 refuses O_NOCTTY with O_PATH, which opens no terminal anyway.
        let noTerminal = flags & rawmill_open_path_only == 0 ? O_NOCTTY : 0
        let allFlags = UInt64(UInt32(bitPattern: flags | O_CLOEXEC | noTerminal))
        // EAGAIN: a parent was renamed meanwhile, and the kernel cannot rule out that the path escapes.
        for _ in 0..<128 {
            let number = retrying { unsafe rawmill_openat2_beneath(folder.number, name, allFlags, mode) }
            if number >= 0 { return Descriptor(owning: number) }
            if errno != EAGAIN { throw StorageError(errno: errno, action, path) }
        }
        throw StorageError(errno: EAGAIN, action, path)
    }

    /// Opens the folder that contains a path's last part.
    func location(of path: [UInt8], _ action: String) throws(StorageError) -> EntryLocation {
        let name = try EntryLocation.name(path, action)
        return EntryLocation(folder: try existingFolder(Self.folder(of: path), action), name: name)
    }

    /// Like `location(of:_:)`, but creates a missing folder.
    func createdLocation(of path: [UInt8], _ action: String) throws(StorageError) -> EntryLocation {
        let name = try EntryLocation.name(path, action)
        return EntryLocation(folder: try openFolder(Self.folder(of: path)), name: name)
    }

    /// Like `createdLocation(of:_:)`, but the caller makes new folders durable.
    func createdLocation(
        of path: [UInt8], _ action: String, _ newFolders: inout FolderSyncs
    ) throws(StorageError) -> EntryLocation {
        let name = try EntryLocation.name(path, action)
        return EntryLocation(folder: try openFolder(Self.folder(of: path), &newFolders), name: name)
    }

    /// The folder that contains a path's last part; empty for the root.
    static func folder(of path: [UInt8]) -> [UInt8] {
        guard let cut = path.lastIndex(of: UInt8(ascii: "/")) else { return [] }
        // An absolute path keeps its "/", so that opening it is refused.
        return Array(path[..<max(cut, 1)])
    }

    // MARK: Inspecting files

    /// Facts of a path, following links. Throws `notFound`.
    public func facts(of path: [UInt8]) throws(StorageError) -> FileFacts {
        try open(path, "look at", flags: rawmill_open_path_only).facts("look at", path)
    }

    /// Facts of a path; nil if it does not exist.
    public func factsIfPresent(of path: [UInt8]) throws(StorageError) -> FileFacts? {
        do throws(StorageError) { return try facts(of: path) } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}

/// The roots of this machine, by name.
public struct Roots: Sendable {
    private let byName: [String: Root]

    /// - Parameter byName: open roots by the names that messages use.
    public init(_ byName: [String: Root]) { self.byName = byName }

    /// The root of that name; nil if this machine has none.
    public subscript(name: String) -> Root? { byName[name] }

    /// The root as currently mounted: the open one may be the folder below a mount point that was mounted since. Nil if
    /// it is unknown or missing.
    public func mounted(_ name: String) -> Root? { self[name].flatMap { try? Root(path: $0.path) } }

    /// Sorted.
    public var names: [String] { byName.keys.sorted() }

    /// Whether the names lead to the same folders: false after one was mounted, unmounted or replaced.
    public func hasSameFolders(as other: Roots) -> Bool {
        byName.keys == other.byName.keys
            && byName.allSatisfy { name, root in
                guard let id = try? root.facts(of: []).id else { return false }
                return id == (try? other[name]?.facts(of: []).id)
            }
    }
}

/// An open folder and the name of an entry, which need not exist: arguments of the kernel's `…at` calls.
struct EntryLocation {
    let folder: OpenFolder
    /// Zero-terminated.
    let name: [CChar]

    /// The last part of a path, zero-terminated. Throws `badPath` for a path without a last name.
    static func name(_ path: [UInt8], _ action: String) throws(StorageError) -> [CChar] {
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8), !path.contains(0) else {
            throw StorageError(.badPath, action, path)
        }
        return Array(name).cString
    }

    /// The error of a call that creates an entry, from its `errno`; `source` is the entry to be renamed, if it had a
    /// name. ENOENT in an existing folder means that the file system does not allow the name, such as a colon on exFAT
    /// by FUSE.
    func creationError(
        _ number: Int32, _ action: String, _ path: [UInt8], from source: EntryLocation? = nil
    ) -> StorageError {
        var facts = stat()
        let isSourceThere =
            source.map { unsafe faccessat($0.folder.number, $0.name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 } ?? true
        let isRefused =
            unsafe number == ENOENT && isSourceThere && fstat(folder.number, &facts) == 0 && facts.st_nlink > 0
        return StorageError(errno: isRefused ? EINVAL : number, action, path)
    }
}
