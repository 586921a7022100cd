import CommandLineTool
import Coordinator
import LibraryTables
import Storage

/// Refuses a cluster's roles a SQLite database on a network file system. SQLite needs shared memory, which machines do
/// not have, and locks that such file systems keep badly: two machines damage the database, and a disconnected one may.
/// Commands on one machine may use it.
enum NetworkDatabase {
    /// Checks the library's database, which may be on a server.
    static func refuseLibrary(_ library: String) throws {
        guard try LibraryServer.place(of: library) == nil else { return }
        try refuse(
            "the library's database, library.sqlite", in: library,
            "Use --database postgresql://USER@HOST/DATABASE for a new library, or move this one: "
                + "`rawmill library migrate --library \(library) --to postgresql://USER@HOST/DATABASE`.")
    }

    /// Checks the ledger's database, with its separate folder, if any.
    static func refuseLedger(of library: String, in folder: String?) throws {
        guard try folder != nil || !LedgerLocation(library: library).isServers else { return }
        try refuse(
            "the coordinator's ledger, \(LedgerStore.fileName)", in: folder ?? library,
            "Use --state DIR with a folder on a local disk, or move library and ledger to a server: "
                + "`rawmill library migrate --library \(library) --to postgresql://USER@HOST/DATABASE`.")
    }

    private static func refuse(_ what: String, in folder: String, _ remedy: String) throws {
        // A missing folder would be created in its parent.
        var path = RealPath.of(Array(folder.utf8)) ?? Array(folder.utf8)
        while (try? FileSystemFacts(folder: path)) == nil, let slash = path.lastIndex(of: UInt8(ascii: "/")) {
            path.removeSubrange(slash...)
        }
        guard let facts = try? FileSystemFacts(folder: path.isEmpty ? [UInt8(ascii: "/")] : path), facts.isNetwork
        else {
            return
        }
        throw CommandFailure(
            "\(what), would be on a network file system, which can damage it: \(folder) is on \(facts.kind), mounted at "
                + "\(facts.mountPoint). \(remedy)")
    }
}
