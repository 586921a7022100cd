package import Coordinator
internal import LibraryTables
internal import Manifests
package import Storage

/// A cluster's ledger, locked for one coordinator.
package final class LockedLedger: Sendable {
    package let ledger: Ledger
    /// The library's identity, created if missing.
    package let identity: FolderIdentity
    /// The lock on the library's server; nil for a library without a server.
    package let server: LedgerLock?
    /// Locks of the library's folder, and of a ledger's folder outside it. Empty for a ledger on a server.
    private let folderLocks: [LedgerFolderLock]

    /// Opens and locks the ledger. Creates missing folders.
    ///
    /// - Parameters:
    ///   - library: the library's folder.
    ///   - folder: the ledger's folder; nil for the library's folder or server.
    ///   - patience: the silence of a coordinator on the server after which this one replaces it; nil for never.
    /// - Throws: `RunError` if another coordinator has locked a folder, or it cannot be written; a `DatabaseError` of
    ///   kind `busy` if another coordinator has the lock on the server; a `LibraryError` or `DatabaseError` of kind
    ///   `diskFull`.
    package init(library: String, folder: String?, evicting patience: Duration? = nil) throws {
        let usual = "\(library)/\(LibraryLayout.hidden)"
        server = try LedgerLock.take(library: library, evicting: patience)
        identity = try Self.identity(of: library)
        let isUsual = folder.map { RealPath.of(Array($0.utf8)) == RealPath.of(Array(usual.utf8)) } ?? true
        let location = isUsual ? try LedgerLocation(library: library) : .inFolder(folder ?? usual)
        switch location {
        case .file:
            folderLocks = try ([usual] + (isUsual ? [] : [folder ?? usual])).map { try LedgerFolderLock(folder: $0) }
        // No folder locks: a stopped process would keep them, so that no other could take over.
        case .server: folderLocks = []
        }
        ledger = try Ledger(at: location, lock: server)
    }

    private static func identity(of library: String) throws -> FolderIdentity {
        do throws(StorageError) {
            return try Root(path: library).makeIdentity(at: Array(LibraryLayout.identity.utf8))
        } catch {
            if error.kind == .diskFull { throw LibraryError.storage(error, folder: library) }
            throw RunError("the library \(library) has no identity: \(error).")
        }
    }
}

/// The lock of a local run that hands out a library's jobs: in its folder, and on its server.
package final class CoordinatorLock: Sendable {
    /// Nil for a library without a server.
    package let server: LedgerLock?
    private let folderLock: LedgerFolderLock
    private let keeping: Task<Void, any Error>?

    /// - Parameter library: the library's folder, or the state folder of an export.
    package init(library: String) throws {
        folderLock = try LedgerFolderLock(folder: "\(library)/\(LibraryLayout.hidden)")
        let server = try LedgerLock.take(library: library)
        self.server = server
        // A stand-by coordinator replaces a silent one.
        keeping = server.map { server in Task { try await server.keep() } }
    }

    deinit { keeping?.cancel() }
}

package final class LedgerFolderLock: Sendable {
    private let lock: FolderLock

    package init(folder: String) throws {
        do throws(StorageError) {
            lock = try Root(path: folder, creating: true).lock(Array("coordinator.lock".utf8))
        } catch {
            if error.kind == .diskFull { throw LibraryError.storage(error, folder: folder) }
            let holder = "another coordinator or `rawmill convert`" + (error.holder.map { " (\($0))" } ?? "")
            throw RunError(
                error.kind == .locked
                    ? "\(holder) is working in \(folder). Wait until it ends, or end it."
                    : "the ledger's folder \(folder) cannot be written: \(error.cause). \(error.remedy)",
                storage: error)
        }
    }
}
