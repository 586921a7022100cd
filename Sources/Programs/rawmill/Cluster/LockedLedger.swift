import CommandLineTool
import Coordinator
import Manifests
import Storage

/// A cluster's ledger, locked so that its library has only one coordinator.
final class LockedLedger: Sendable {
    let ledger: Ledger
    /// The library's identity. Made if it had none.
    let identity: FolderIdentity
    private let libraryLock: CoordinatorLock
    /// For a ledger outside the library.
    private let folderLock: CoordinatorLock?

    /// Opens and locks the ledger. Folders that are missing are made.
    ///
    /// - Parameters:
    ///   - library: the library's folder.
    ///   - folder: the ledger's folder; nil for the usual one in the library.
    /// - Throws: `CommandFailure` where another coordinator has locked one of them, or it cannot be written.
    init(library: String, folder: String?) throws {
        let usual = "\(library)/\(LibraryLayout.hidden)"
        libraryLock = try CoordinatorLock(folder: usual)
        let isUsual = folder.map { RealPath.of(Array($0.utf8)) == RealPath.of(Array(usual.utf8)) } ?? true
        let folder = isUsual ? usual : folder ?? usual
        identity = try Self.identity(of: library)
        folderLock = isUsual ? nil : try CoordinatorLock(folder: folder)
        ledger = try Ledger(path: "\(folder)/\(LedgerStore.fileName)")
    }

    private static func identity(of library: String) throws -> FolderIdentity {
        do throws(StorageError) {
            return try Root(path: library).makeIdentity(at: Array(LibraryLayout.identity.utf8))
        } catch {
            throw CommandFailure("the library \(library) has no identity: \(error).", status: ExitStatus.fault)
        }
    }
}

/// The lock of the process that hands out a library's jobs: a cluster's coordinator, or a run on one machine.
final class CoordinatorLock: Sendable {
    private let lock: FolderLock

    init(folder: String) throws {
        do throws(StorageError) {
            lock = try Root(path: folder, creating: true).lock(Array("coordinator.lock".utf8))
        } catch {
            let holder = "another coordinator or `rawmill convert`" + (error.holder.map { " (\($0))" } ?? "")
            throw CommandFailure(
                error.kind == .locked
                    ? "\(holder) is working in \(folder). Wait until it ends, or end it."
                    : "the ledger's folder \(folder) cannot be written: \(error.cause).",
                status: CommandFailure.status(error))
        }
    }
}
