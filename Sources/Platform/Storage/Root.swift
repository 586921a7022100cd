internal import CFiles
internal import Glibc

/// An open folder below which every path is resolved; none leads out of it.
///
/// Paths are bytes relative to it, `/` between their parts; the empty path is the root itself. Links are followed
/// while they stay beneath it (openat2, RESOLVE_BENEATH). Holds one descriptor, closed with the last reference.
public final class Root: Sendable {
    /// As it was given, for people.
    public let path: String
    let folder: Descriptor

    /// - Parameter creating: makes the folder, and those above it, where it does not exist.
    public init(path: String, creating: Bool = false) throws(StorageError) {
        self.path = path
        if creating { try Self.create(path) }
        let number = retrying { Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard number >= 0 else { throw StorageError(errno: errno, "open", Array(path.utf8)) }
        folder = Descriptor(owning: number)
    }

    private static func create(_ path: String) throws(StorageError) {
        let bytes = Array(path.utf8)
        let slash = UInt8(ascii: "/")
        for end in bytes.indices where end == bytes.count - 1 || end > 0 && bytes[end] == slash {
            let part = String(decoding: bytes[...end], as: UTF8.self)
            if mkdir(part, 0o777) != 0, errno != EEXIST, errno != EISDIR, access(part, F_OK) != 0 {
                throw StorageError(errno: errno, "create", bytes)
            }
        }
    }

    /// Opens beneath the root.
    func open(_ path: [UInt8], _ action: String, flags: Int32, mode: UInt64 = 0) throws(StorageError) -> Descriptor {
        guard !path.contains(0) else { throw StorageError(.badPath, action, path) }
        let name = (path.isEmpty ? [UInt8(ascii: ".")] : path).map(CChar.init(bitPattern:)) + [0]
        // openat2 refuses O_NOCTTY beside O_PATH, which opens no terminal anyway.
        let terminal = flags & rawmill_open_path_only == 0 ? O_NOCTTY : 0
        let all = UInt64(UInt32(bitPattern: flags | O_CLOEXEC | terminal))
        // EAGAIN: somebody renamed a folder on the way, so the kernel could not tell; a few repetitions settle it.
        for _ in 0..<128 {
            let number = retrying { rawmill_openat2_beneath(folder.number, name, all, mode) }
            if number >= 0 { return Descriptor(owning: number) }
            if errno != EAGAIN { throw StorageError(errno: errno, action, path) }
        }
        throw StorageError(errno: EAGAIN, action, path)
    }

    /// The folder a path stands in, open, and the path's last part.
    func parent(of path: [UInt8], _ action: String) throws(StorageError) -> Parent {
        let name = try Parent.name(path, action)
        return Parent(folder: try existingFolder(Self.folder(of: path), action), name: name)
    }

    /// The same, where the folder is made if it is not there.
    func parentMade(of path: [UInt8], _ action: String) throws(StorageError) -> Parent {
        let name = try Parent.name(path, action)
        return Parent(folder: try openFolder(Self.folder(of: path)), name: name)
    }

    /// The facts of what the path names, links followed.
    public func facts(of path: [UInt8]) throws(StorageError) -> FileFacts {
        try open(path, "look at", flags: rawmill_open_path_only).facts("look at", path)
    }

    /// Nil where there is nothing of that name.
    public func factsIfPresent(of path: [UInt8]) throws(StorageError) -> FileFacts? {
        do throws(StorageError) { return try facts(of: path) } catch {
            if error.kind == .notFound { return nil }
            throw error
        }
    }
}

/// An open folder and a name in it.
struct Parent {
    let folder: OpenFolder
    /// Ends with a zero.
    let name: [CChar]

    /// The last part of a path, ready for the kernel.
    static func name(_ path: [UInt8], _ action: String) throws(StorageError) -> [CChar] {
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        guard !name.isEmpty, !name.elementsEqual(".".utf8), !name.elementsEqual("..".utf8), !path.contains(0) else {
            throw StorageError(.badPath, action, path)
        }
        return name.map(CChar.init(bitPattern:)) + [0]
    }
}

/// The roots of this machine, by name.
public struct Roots: Sendable {
    private let byName: [String: Root]

    public init(_ byName: [String: Root]) { self.byName = byName }

    public subscript(name: String) -> Root? { byName[name] }

    public var names: [String] { byName.keys.sorted() }
}
