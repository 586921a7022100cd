internal import Digest
internal import Lenses
internal import Storage

/// This machine's lens table, kept in the user's cache: it takes a tenth of a second and more to make, and a millisecond to
/// read. It is made again when a file of the database, or the form of tables, is another than it was.
///
/// The cache helps, and nothing depends on it: one that cannot be read or written, or is damaged, is as if it were not there.
public struct LensTableCache: Sendable {
    private static let name = Array("lens-table".utf8)
    /// Names the form of the file. Then come the digests of the database's identity and of the table, and the table.
    private static let heading = Array("Rawmill lens table cache 1\n".utf8)
    private static let limitBytes: UInt64 = 64 << 20

    private let folder: String?
    private let databaseFolders: [String]?
    private let make: @Sendable () -> LensTable?

    /// - Parameters:
    ///   - folder: where the file is; made where it is missing. Nil keeps nothing.
    ///   - userData: where programs keep this user's data, of which liblensfun reads a part. Nil keeps nothing.
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

    /// The table: the one that is kept, where it is of today's database, else a new one.
    ///
    /// - Parameter isKept: whether a new one is kept for the next time.
    /// - Returns: nil where this machine has no database.
    public func table(isKept: Bool) -> PackedLensTable? {
        guard let identity else { return made() }
        if let kept = kept(identity) { return kept }
        return isKept ? renewed(identity) : made()
    }

    /// The table, made of the database as it is, and kept.
    ///
    /// - Returns: nil where this machine has no database.
    public func renewed() -> PackedLensTable? { identity.map(renewed) ?? made() }

    private var identity: DatabaseIdentity? {
        guard folder != nil, let databaseFolders else { return nil }
        return DatabaseIdentity(folders: databaseFolders, form: LensTable.form)
    }

    private func made() -> PackedLensTable? { make().map { PackedLensTable(bytes: $0.bytes) } }

    /// - Parameter identity: the database's before it is read: what changes meanwhile makes the table an old one.
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
