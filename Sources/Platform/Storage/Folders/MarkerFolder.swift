internal import Glibc

/// A folder of empty files whose names carry the information.
///
/// All markers are names of one empty file beside the folder, `<folder>.mark`: a file system adds and removes a name
/// faster than it creates and removes a file. Where it has no hard links, or no more of them, each marker is a file of
/// its own.
public final class MarkerFolder: Sendable {
    /// Relative to the root.
    public var path: [UInt8] { folder.path }
    private let root: Root
    private let folder: OpenFolder
    private let mark: EntryLocation

    /// Opens the folder; creates it if it does not exist.
    public init(_ path: [UInt8], in root: Root) throws(StorageError) {
        self.root = root
        folder = try root.openFolder(path)
        mark = try root.createdLocation(of: Self.markPath(path), "open")
    }

    /// Creates a marker.
    ///
    /// - Parameter isDurable: false for a marker that a power cut may remove.
    /// - Returns: false if the name is taken.
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

    /// Makes all markers survive a power cut.
    public func sync() throws(StorageError) { try folder.sync() }

    /// True if there is a marker of that name.
    public func contains(_ name: [UInt8]) throws(StorageError) -> Bool {
        if faccessat(folder.number, try cName(name, "look at"), F_OK, 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "look at", path(of: name))
    }

    /// Removes a marker.
    ///
    /// - Returns: false if there was none.
    @discardableResult
    public func remove(_ name: [UInt8]) throws(StorageError) -> Bool {
        if unlinkat(folder.number, try cName(name, "remove"), 0) == 0 { return true }
        if errno == ENOENT { return false }
        throw StorageError(errno: errno, "remove", path(of: name))
    }

    /// All markers, in byte order.
    public func names() throws(StorageError) -> [[UInt8]] { try root.entries(of: path).map(\.name) }

    /// Gives the mark a further name. Returns 0 or the error number.
    private func link(_ name: [CChar]) -> Int32 {
        linkat(mark.folder.number, mark.name, folder.number, name, 0) == 0 ? 0 : errno
    }

    private func createFile(_ cName: [CChar], _ name: [UInt8]) throws(StorageError) -> Bool {
        let number = retrying { openat(folder.number, cName, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666)) }
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
