internal import Campaigns
internal import Database
internal import LibraryTables
internal import Manifests
internal import Storage

/// `rawmill library backup`: a snapshot of a library's tables while roles and runs continue to write.
public enum LibraryBackup {
    /// Copies the campaigns before the library, so that no campaign refers to a photo that the library lacks.
    ///
    /// - Parameter onRows: called with the number of rows copied since the last call.
    /// - Throws: `LibraryError`; errors of `onRows`.
    public static func write(
        _ folder: String, to backup: BackupFolder, onRows: (Int) throws -> Void = { _ in }
    ) throws {
        try LibraryError.wrapping(folder) {
            let root = try Root(library: folder, creating: false)
            guard let location = try LibraryLocation(root) else { throw LibraryError.notALibrary(folder: folder) }
            if let identity = try root.identity(at: Array(LibraryLayout.identity.utf8)) {
                _ = try backup.root.publish(Array("\(identity)\n".utf8), at: Array(BackupFolder.identity.utf8))
            }
            func copy(_ part: LibraryLocation.Part, _ schema: Schema, _ name: String) throws {
                let source = try location.open(part, of: folder, mode: .readOnly)
                do {
                    try DatabaseCopy.write(source, as: schema, toFile: backup.file(name), onRows: onRows)
                } catch let error as InexactCopy {
                    throw LibraryError.server(folder: folder, cause: "\(error)")
                }
            }
            if try location.hasCampaigns(root) { try copy(.campaigns, CampaignTable.schema, BackupFolder.campaigns) }
            try copy(.library, LibrarySchema.schema, BackupFolder.library)
        }
    }
}
