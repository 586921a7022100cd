internal import Campaigns
internal import Database
internal import LibraryTables
internal import Manifests
public import PostgreSQL
internal import Storage

/// `rawmill library migrate`: moves a library's tables from its folder to a PostgreSQL server, or back.
///
/// The migration copies the tables next to the present ones, compares them value by value, and replaces the present
/// ones in one step. An interrupted migration starts again. The old tables are kept under another name.
public struct LibraryMigration {
    /// The result of a migration.
    public struct Report: Hashable, Sendable {
        /// Rows by table.
        public internal(set) var rows: [String: Int] = [:]
    }

    private let folder: String
    private let root: Root
    private let source: LibraryLocation
    private let target: LibraryLocation
    private let lock: LibraryLock
    private let targetLock: ServerLock?

    /// Takes the library's lock.
    ///
    /// - Parameter address: the server; nil to move the tables into the folder.
    /// - Throws: `LibraryError`.
    public init(library folder: String, to address: ServerAddress?) throws {
        self.folder = folder
        (root, source, target, lock, targetLock) = try LibraryError.wrapping(folder) {
            let root = try Root(library: folder, creating: false)
            guard let source = try LibraryLocation(root) else { throw LibraryError.notALibrary(folder: folder) }
            let target = try LibraryLocation.own(address, root)
            guard source.isFile != target.isFile else {
                throw LibraryError.server(
                    folder: folder, cause: "its tables are \(source.isFile ? "in its folder" : "on a server") already")
            }
            return (root, source, target, try LibraryLock(root), try target.lock())
        }
    }

    /// Moves the tables.
    ///
    /// - Parameter onRows: called repeatedly with the number of copied rows.
    /// - Throws: `LibraryError`; the library is unchanged, unless the error states otherwise.
    public func run(onRows: (Int) throws -> Void = { _ in }) throws -> Report {
        try LibraryError.wrapping(folder) {
            var report = Report()
            try target.refuseForeignTables(of: folder)
            try target.removeReplacement(root)
            do { try copyAll(&report, onRows) } catch {
                LibraryLocation.abandonReplacement(root)
                throw error
            }
            try take()
            return report
        }
    }

    /// Closes the connections on return, so that the databases can be moved.
    private func copyAll(_ report: inout Report, _ onRows: (Int) throws -> Void) throws {
        let old = try open(source, .library, LibrarySchema.schema)
        let new = try open(target, .replacement, LibrarySchema.schema)
        try copy(old, new, &report, onRows)
        if try source.hasCampaigns(root) {
            try target.removeCampaigns(root)
            let (old, new) = try (
                open(source, .campaigns, CampaignTable.schema), open(target, .campaigns, CampaignTable.schema)
            )
            try copy(old, new, &report, onRows)
        }
        try target.replaceLibrary(of: folder, new)
    }

    private func open(_ location: LibraryLocation, _ part: LibraryLocation.Part, _ schema: Schema) throws -> Connection
    {
        let held = location == source ? lock.server : targetLock
        let connection = try location.open(part, of: folder, mode: .readWrite, lock: held)
        try connection.migrate(schema)
        return connection
    }

    private func copy(
        _ old: Connection, _ new: Connection, _ report: inout Report, _ onRows: (Int) throws -> Void
    ) throws {
        do {
            try DatabaseCopy.copyAll(from: old, to: new) { table, count in
                report.rows[table, default: 0] += count
                try onRows(report.rows.values.reduce(0, +))
            }
        } catch let error as InexactCopy {
            throw LibraryError.server(folder: folder, cause: "\(error)")
        }
    }

    /// Records the new place in the library's folder, and keeps the old tables.
    private func take() throws {
        let pointer = Array(LibraryLayout.server.utf8)
        if let text = target.text {
            _ = try root.publish(Array(text.utf8), at: pointer)
        } else {
            try root.remove(pointer)
        }
        try source.putAside(root)
    }

    /// The place of the old tables after `run`, for messages.
    public var kept: String { source.keptPlace }
}
