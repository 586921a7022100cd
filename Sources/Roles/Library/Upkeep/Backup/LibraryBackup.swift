internal import Database
internal import Manifests
internal import Storage

/// `rawmill library backup`: a library's tables, as they are at one moment, while roles and runs go on writing.
public enum LibraryBackup {
    /// Copies the campaigns, and then the library, so that no campaign knows of a photo that the library does not.
    ///
    /// - Parameter onRows: called with the number of rows that were copied since it was called last.
    /// - Throws: `LibraryError`; what `onRows` throws.
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
