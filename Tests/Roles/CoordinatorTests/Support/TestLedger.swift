import Database
import Foundation
import LibraryTables
import PostgreSQLServer

@testable import Coordinator

/// Location of test ledgers: files, or the server in RAWMILL_TEST_DATABASE.
enum TestLedger {
    static let isOnServer = ProcessInfo.processInfo.environment["RAWMILL_TEST_DATABASE"] == "server"

    /// A ledger for a test's folder.
    static func location(in folder: TemporaryFolder, isOnServer: Bool = isOnServer) throws -> LedgerLocation {
        guard isOnServer else { return .file(path: folder.path + "/ledger.sqlite") }
        // The names of temporary folders also differ in case.
        let name = folder.path.utf8.suffix(6).map { String($0, radix: 16) }.joined()
        return .server(try PostgreSQLServer.shared.get().address(), schema: "test_ledger_\(name)")
    }

    /// Puts the ledger of a library in a folder on the server, if test ledgers are there.
    static func choose(for library: String) throws {
        if isOnServer { try LibraryServer.choose(PostgreSQLServer.shared.get().address(), for: library) }
    }
}

extension LedgerLocation {
    /// A direct connection to the tables.
    func connection() throws -> Connection { try connection(mode: .readWrite, lock: nil) }

    func setVersion(_ version: Int) throws {
        try connection().script(
            isServers ? "UPDATE schema_version SET steps = \(version)" : "PRAGMA user_version = \(version)")
    }
}
