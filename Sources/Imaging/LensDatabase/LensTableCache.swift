internal import Digest
internal import Lenses
internal import Storage

/// This machine's lens table in the user's cache. It takes a tenth of a second or more to make, and a millisecond to
/// read. It is made again if a file of the database or the form of tables changes.
///
/// The cache is only an optimisation: a damaged, unreadable or unwritable one is ignored.
public struct LensTableCache: Sendable {
    private static let name = Array("lens-table".utf8)
    /// Form of the file. The digests of the database's identity and of the table follow, then the table.
    private static let heading = Array("Rawmill lens table cache 1\n".utf8)
    private static let limitBytes: UInt64 = 64 << 20

    private let folder: String?
    private let databaseFolders: [String]?
    private let make: @Sendable () -> LensTable?

    /// - Parameters:
    ///   - folder: folder of the file, created if missing; nil disables the cache.
    ///   - userData: folder of this user's program data, which liblensfun reads; nil disables the cache.
    public init(folder: String?, userData: String?) {
        self.init(folder: folder, databaseFolders: userData.map { DatabaseIdentity.folders(userData: $0) }) {
            LensfunDatabase.table()
        }
    }

    init(folder: String?, databaseFolders: [String]?, make: @escaping @Sendable () -> LensTable?) {
        self.folder = folder
        self.databaseFolders = databaseFolders
        self.make = make
    }

    /// The cached table if it matches the database, or else a new one.
    ///
    /// - Parameter isKept: whether to cache a new table.
    /// - Returns: nil if this machine has no database.
    public func table(isKept: Bool) -> PackedLensTable? {
        guard let identity else { return made() }
        if let kept = kept(identity) { return kept }
        return isKept ? renewed(identity) : made()
    }

    /// Makes and caches a table from the current database.
    ///
    /// - Returns: nil if this machine has no database.
    public func renewed() -> PackedLensTable? { identity.map(renewed) ?? made() }

    private var identity: DatabaseIdentity? {
        guard folder != nil, let databaseFolders else { return nil }
        return DatabaseIdentity(folders: databaseFolders, form: LensTable.form)
    }

    private func made() -> PackedLensTable? { make().map { PackedLensTable(bytes: $0.bytes) } }

    /// - Parameter identity: taken before the database is read, so that later changes make the table outdated.
    private func renewed(_ identity: DatabaseIdentity) -> PackedLensTable? {
        guard let table = made(), let folder else { return nil }
        let file = Self.heading + identity.digest.bytes + table.digest.bytes + table.bytes
        _ = try? Root(path: folder, creating: true).publish(file, at: Self.name, existing: .replace, isDurable: false)
        return table
    }

    private func kept(_ identity: DatabaseIdentity) -> PackedLensTable? {
        guard let folder, let root = try? Root(path: folder),
            let file = try? root.contents(of: Self.name, limitBytes: Self.limitBytes)
        else { return nil }
        let head = Self.heading + identity.digest.bytes
        let bytes = file.dropFirst(head.count + 32)
        guard file.starts(with: head), !bytes.isEmpty else { return nil }
        let table = PackedLensTable(bytes: Array(bytes))
        return file[head.count..<head.count + 32].elementsEqual(table.digest.bytes) ? table : nil
    }
}
