internal import Glibc

/// A folder of empty files whose names carry the information.
///
/// Markers are hard links to one empty file beside the folder, `<folder>.mark`, because adding and removing links is
/// faster than creating and removing files. Without hard links, or beyond their limit, each marker is a separate file.
public final class MarkerFolder: Sendable {
    /// Relative to the root.
    public var path: [UInt8] { folder.path }
    private let root: Root
    private let folder: OpenFolder
    private let mark: EntryLocation

    /// Opens the folder; creates it if missing.
    public init(_ path: [UInt8], in root: Root) throws(StorageError) {
        self.root = root
        folder = try root.openFolder(path)
        mark = try root.createdLocation(of: Self.markPath(path), "open")
    }

    /// Creates a marker; one that is not durable may be lost in a power failure. Returns false if the name is taken.
    public func create(_ name: [UInt8], isDurable: Bool = true) throws(StorageError) -> Bool {
        let cName = try cName(name, "create")
        var failure = link(cName)
        if failure == ENOENT {
            _ = try root.publish([], at: Self.markPath(path))
            failure = link(cName)
        }
        switch failure {
        case 0: break
        case EEXIST: return false
        case EMLINK, EPERM, EOPNOTSUPP: if try !createFile(cName, name) { return false }
        default: throw StorageError(errno: failure, "create", path(of: name))
        }
        if isDurable { try folder.sync() }
        return true
    }

    /// Makes all markers durable.
    public func sync() throws(StorageError) { try folder.sync() }

    /// Whether the marker exists.
    public func contains(_ name: [UInt8]) throws(StorageError) -> Bool {
        if unsafe faccessat(folder.number, try cName(name, "look at"), F_OK, 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "look at", path(of: name))
    }

    /// Removes a marker. Returns false if it did not exist.
    @discardableResult
    public func remove(_ name: [UInt8]) throws(StorageError) -> Bool {
        if unsafe unlinkat(folder.number, try cName(name, "remove"), 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "remove", path(of: name))
    }

    /// All markers, in byte order.
    public func names() throws(StorageError) -> [[UInt8]] { try root.entries(of: path).map(\.name) }

    /// - Returns: 0, or `errno`.
    private func link(_ name: [CChar]) -> Int32 {
        unsafe linkat(mark.folder.number, mark.name, folder.number, name, 0) == 0 ? 0 : errno
    }

    private func createFile(_ cName: [CChar], _ name: [UInt8]) throws(StorageError) -> Bool {
        let number = retrying {
            unsafe openat(folder.number, cName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666))
        }
        if number < 0, errno == EEXIST { return false }
        guard number >= 0 else { throw StorageError(errno: errno, "create", path(of: name)) }
        _ = Descriptor(owning: number)
        return true
    }

    /// - Throws: `badPath` for a name that leads out of the folder.
    private func cName(_ name: [UInt8], _ action: String) throws(StorageError) -> [CChar] {
        guard !name.contains(UInt8(ascii: "/")) else { throw StorageError(.badPath, action, path(of: name)) }
        return try EntryLocation.name(name, action)
    }

    private func path(of name: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + name }

    private static func markPath(_ folder: [UInt8]) -> [UInt8] { folder + Array(".mark".utf8) }
}
