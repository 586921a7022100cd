internal import Campaigns
internal import Database
internal import LibraryTables
internal import Manifests
internal import Storage

/// `rawmill library restore`: replaces a library's tables with a backup's, in a file or on its server.
///
/// The restore prepares the tables next to the present ones, updates them if an older version wrote them, and replaces
/// the library's tables in one step. The old ones are kept under another name.
public struct LibraryRestore {
    private let folder: String
    private let backup: BackupFolder
    private let root: Root
    private let location: LibraryLocation
    private let lock: LibraryLock

    /// Takes the library's lock.
    ///
    /// - Throws: `LibraryError` if the backup is another library's, or if the folder has no photos.
    public init(library folder: String, from backup: BackupFolder) throws {
        self.folder = folder
        self.backup = backup
        (root, location, lock) = try LibraryError.wrapping(folder) {
            let root = try Root(library: folder, creating: false)
            try Self.checkIdentity(root, folder, backup)
            return (root, try LibraryLocation(root) ?? .file, try LibraryLock(root))
        }
    }

    /// A folder that has only photos gets the backup's identity.
    private static func checkIdentity(_ root: Root, _ folder: String, _ backup: BackupFolder) throws {
        let path = Array(LibraryLayout.identity.utf8)
        let theirs = try backup.identity()
        if let own = try root.identity(at: path) {
            guard let theirs, theirs != own else { return }
            throw LibraryError.backup(
                folder: backup.path,
                cause: "it belongs to another library (identity \(theirs); \(folder) has \(own))")
        }
        guard try root.factsIfPresent(of: Array(LibraryLayout.objects.utf8))?.kind == .folder else {
            throw LibraryError.backup(
                folder: backup.path,
                cause:
                    "\(folder) has no folder \(LibraryLayout.objects). Put the library's photos there first, or mount them"
            )
        }
        if let theirs { _ = try root.publish(Array("\(theirs)\n".utf8), at: path) }
    }

    /// The place of the old tables after `run`, for messages; nil if there are none.
    public private(set) var kept: String?

    /// Restores the tables.
    ///
    /// - Parameter onRows: called with the number of rows copied since the last call.
    /// - Throws: `LibraryError`; the library is unchanged, unless the disk or the server failed in the last step.
    public mutating func run(onRows: (Int) throws -> Void = { _ in }) throws {
        kept = try LibraryError.wrapping(folder) {
            try location.removeReplacement(root)
            let library: Connection
            do {
                library = try ready(
                    BackupFolder.library, as: .replacement, LibraryLocation.Part.replacement.file,
                    LibrarySchema.schema, onRows)
            } catch {
                LibraryLocation.abandonReplacement(root)
                throw error
            }
            let hadTables = try location.replaceLibrary(of: folder, library, keepsOld: true)
            _ = try location.putAside(root, .campaigns)
            if backup.contains(BackupFolder.campaigns) {
                let staged = LibraryLocation.Part.campaigns.file
                _ = try ready(BackupFolder.campaigns, as: .campaigns, staged, CampaignTable.schema, onRows)
            }
            return hadTables ? location.keptPlace : nil
        }
    }

    /// Prepares the tables of a backup's file in a file of the library's folder, and from there on its server if it has
    /// one.
    private func ready(
        _ name: String, as part: LibraryLocation.Part, _ staged: String, _ schema: Schema,
        _ onRows: (Int) throws -> Void
    ) throws -> Connection {
        for ending in LibraryLocation.companions { try root.remove(Array((staged + ending).utf8)) }
        try backup.copy(name, to: root, at: Array(staged.utf8))
        let file = try Connection(path: "\(folder)/\(staged)")
        try file.migrate(schema)
        guard !location.isFile else { return file }
        let tables = try location.open(part, of: folder, mode: .readWrite, lock: lock.server)
        try tables.migrate(schema)
        do {
            try DatabaseCopy.copyAll(from: file, to: tables) { try onRows($1) }
        } catch let error as InexactCopy {
            throw LibraryError.server(folder: folder, cause: "\(error)")
        }
        try file.becomeOneFile()
        try root.remove(Array(staged.utf8))
        return tables
    }
}
