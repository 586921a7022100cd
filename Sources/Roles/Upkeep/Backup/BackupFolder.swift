internal import Digest
internal import LibraryTables
internal import Manifests
public import Storage

/// A folder with a library's tables as SQLite files, also for a library on a server; with the library's identity, and a
/// list of hashes for `sha256sum -c`.
public struct BackupFolder {
    /// The folder's path as the caller passed it.
    public let path: String
    package let root: Root
    /// Empty until the backup is finished.
    private var digests: [String: SHA256Value] = [:]

    package static let sums = "SHA256SUMS"
    static let identity = "library.id"
    static let library = "library.sqlite"
    static let campaigns = "campaigns.sqlite"

    // MARK: Writing

    /// Makes a backup, which gets its name when complete, see `Root.makeFolder`.
    ///
    /// - Parameter fill: writes files.
    /// - Throws: `LibraryError` if the name is in use or the disk fails; errors of `fill`.
    public static func make(at path: String, _ fill: (BackupFolder) throws -> Void) throws {
        let (parent, name) = split(path)
        try LibraryError.wrapping(path) {
            let folder: Root
            do throws(StorageError) { folder = try Root(path: parent) } catch {
                throw LibraryError.backup(folder: path, cause: "\(error). Create the parent folder, or mount its disk")
            }
            do {
                try folder.makeFolder(Array(name.utf8)) { unfinished in
                    let path = "\(parent)/\(String(decoding: unfinished, as: UTF8.self))"
                    let backup = BackupFolder(path: path, root: try Root(path: path))
                    try fill(backup)
                    try backup.list()
                }
            } catch let error as StorageError where error.kind == .exists {
                throw LibraryError.backup(
                    folder: path, cause: "it already exists. Use another --to")
            }
        }
    }

    private init(path: String, root: Root) {
        self.path = path
        self.root = root
    }

    private static func split(_ path: String) -> (parent: String, name: String) {
        var bytes = path.utf8[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return (".", String(bytes) ?? path) }
        let name = String(bytes[bytes.index(after: slash)...]) ?? path
        return (slash == bytes.startIndex ? "/" : String(bytes[..<slash]) ?? path, name)
    }

    /// The path of a file in the backup.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Hashes all files as they are on disk.
    private func list() throws(StorageError) {
        var lines = ""
        for name in try root.entries(of: []).map({ String(decoding: $0.name, as: UTF8.self) }).sorted() {
            lines += "\(try root.storedDigest(of: Array(name.utf8)))  \(name)\n"
        }
        _ = try root.publish(Array(lines.utf8), at: Array(Self.sums.utf8))
    }

    // MARK: Reading

    /// Opens a backup.
    ///
    /// - Throws: `LibraryError` if the folder is not a backup.
    public init(existing path: String) throws {
        self.path = path
        root = try LibraryError.wrapping(path) {
            do throws(StorageError) { return try Root(path: path) } catch {
                throw error.kind == .notFound ? LibraryError.backup(folder: path, cause: Self.none) : error
            }
        }
        digests = try LibraryError.wrapping(path) { [root] in
            let sums = Array(Self.sums.utf8)
            guard try root.factsIfPresent(of: sums) != nil else {
                throw LibraryError.backup(folder: path, cause: Self.none)
            }
            return try Self.digests(String(decoding: root.contents(of: sums, limitBytes: 65_536), as: UTF8.self), path)
        }
    }

    private static let none =
        "there is no backup: it has no \(sums). Give --from a folder that `rawmill library backup` made"

    private static func digests(_ text: String, _ path: String) throws -> [String: SHA256Value] {
        var digests: [String: SHA256Value] = [:]
        for line in text.split(separator: "\n") {
            guard let digest = SHA256Value(hex: line.prefix(64)), line.dropFirst(64).hasPrefix("  ") else {
                throw LibraryError.backup(folder: path, cause: "its \(sums) is damaged. Use another backup")
            }
            digests[String(line.dropFirst(66))] = digest
        }
        return digests
    }

    /// Whether the backup has the file.
    public func contains(_ name: String) -> Bool { digests[name] != nil }

    /// The library's identity, if it had one.
    package func identity() throws -> FolderIdentity? {
        contains(Self.identity) ? try root.identity(at: Array(Self.identity.utf8)) : nil
    }

    /// Copies a file to a path below another root, replacing a file there, and compares the hash.
    ///
    /// - Throws: `LibraryError` if the file is missing or has other bytes; `StorageError`.
    public func copy(_ name: String, to target: Root, at path: [UInt8]) throws {
        guard let digest = digests[name] else {
            throw LibraryError.backup(folder: self.path, cause: "its file \(name) is missing. Use another backup")
        }
        do throws(StorageError) {
            try target.remove(path)
            _ = try target.publishCopy(of: Array(name.utf8), in: root, digest: digest, at: path)
        } catch {
            guard error.kind == .changed || error.kind == .notFound else { throw error }
            throw LibraryError.backup(
                folder: self.path,
                cause:
                    "its file \(name) was changed; `sha256sum -c \(Self.sums)` shows this. Use another backup"
            )
        }
    }
}
