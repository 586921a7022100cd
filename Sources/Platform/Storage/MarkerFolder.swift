internal import Glibc

/// A folder of names that say something by being there.
///
/// All of them are names of one empty file beside the folder, `<folder>.mark`: a file system gives and takes a name
/// faster than it makes and removes a file. Where it has no hard links, or no more of them, each is a file of its own.
public final class MarkerFolder: Sendable {
    /// Relative to the root.
    public var path: [UInt8] { folder.path }
    private let root: Root
    private let folder: OpenFolder
    private let mark: Parent

    /// Opens the folder; makes it where there is none.
    public init(_ path: [UInt8], in root: Root) throws(StorageError) {
        self.root = root
        folder = try root.openFolder(path)
        mark = try root.parentMade(of: Self.markPath(path), "open")
    }

    /// Makes a name that must be free; false where it is taken.
    ///
    /// - Parameter isDurable: false for a name that a power cut may take.
    public func create(_ name: [UInt8], isDurable: Bool = true) throws(StorageError) -> Bool {
        let plain = try terminated(name, "create")
        var failure = link(plain)
        if failure == ENOENT {
            _ = try root.publish([], at: Self.markPath(path))
            failure = link(plain)
        }
        switch failure {
        case 0: break
        case EEXIST: return false
        case EMLINK, EPERM, EOPNOTSUPP: if try !createFile(plain, name) { return false }
        default: throw StorageError(errno: failure, "create", path(of: name))
        }
        if isDurable { try folder.sync() }
        return true
    }

    public func contains(_ name: [UInt8]) throws(StorageError) -> Bool {
        if faccessat(folder.number, try terminated(name, "look at"), F_OK, 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "look at", path(of: name))
    }

    /// False where there was none.
    @discardableResult
    public func remove(_ name: [UInt8]) throws(StorageError) -> Bool {
        if unlinkat(folder.number, try terminated(name, "remove"), 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "remove", path(of: name))
    }

    /// The names there are, in byte order.
    public func names() throws(StorageError) -> [[UInt8]] { try root.entries(of: path).map(\.name) }

    /// 0, or the error's number.
    private func link(_ name: [CChar]) -> Int32 {
        linkat(mark.folder.number, mark.name, folder.number, name, 0) == 0 ? 0 : errno
    }

    private func createFile(_ plain: [CChar], _ name: [UInt8]) throws(StorageError) -> Bool {
        let number = retrying { openat(folder.number, plain, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666)) }
        if number < 0, errno == EEXIST { return false }
        guard number >= 0 else { throw StorageError(errno: errno, "create", path(of: name)) }
        _ = Descriptor(owning: number)
        return true
    }

    /// - Throws: `badPath` for a name that leads out of the folder.
    private func terminated(_ name: [UInt8], _ action: String) throws(StorageError) -> [CChar] {
        guard !name.contains(UInt8(ascii: "/")) else { throw StorageError(.badPath, action, path(of: name)) }
        return try Parent.name(name, action)
    }

    private func path(of name: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + name }

    private static func markPath(_ folder: [UInt8]) -> [UInt8] { folder + Array(".mark".utf8) }
}
