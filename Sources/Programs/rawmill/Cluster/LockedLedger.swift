import CommandLineTool
import Coordinator
import Manifests
import Storage

/// A cluster's ledger, and the locks that say its library has one coordinator.
final class LockedLedger: Sendable {
    let ledger: Ledger
    private let libraryLock: CoordinatorLock
    /// Of another ledger's folder than the library's own.
    private let folderLock: CoordinatorLock?

    /// - Parameters:
    ///   - library: the library's folder; made where there is none.
    ///   - folder: the ledger's, where it is not in the library; made, too.
    /// - Throws: `CommandFailure` where another coordinator has one of them, or it cannot be written.
    init(library: String, folder: String?) throws {
        let usual = "\(library)/\(LibraryLayout.hidden)"
        libraryLock = try CoordinatorLock(folder: usual)
        let isUsual = folder.map { RealPath.of(Array($0.utf8)) == RealPath.of(Array(usual.utf8)) } ?? true
        let folder = isUsual ? usual : folder ?? usual
        folderLock = isUsual ? nil : try CoordinatorLock(folder: folder)
        ledger = try Ledger(path: "\(folder)/\(LedgerStore.fileName)")
    }
}

/// Says that one process gives out a library's jobs: a cluster's coordinator, or a run on one machine.
final class CoordinatorLock: Sendable {
    private let lock: FolderLock

    init(folder: String) throws {
        do throws(StorageError) {
            lock = try Root(path: folder, creating: true).lock(Array("coordinator.lock".utf8))
        } catch {
            let holder = "another coordinator or `rawmill convert`" + (error.holder.map { " (process \($0))" } ?? "")
            throw CommandFailure(
                error.kind == .locked
                    ? "\(holder) is at work in \(folder). Wait for it to end, or end it."
                    : "the ledger's folder \(folder) cannot be written: \(error.cause).")
        }
    }
}
