import Database
import Foundation
import Library
import PostgreSQLServer

@testable import Coordinator

/// Where the ledgers of tests are: in files, or where RAWMILL_TEST_DATABASE says, to run all tests on a server.
enum TestLedger {
    static let isOnServer = ProcessInfo.processInfo.environment["RAWMILL_TEST_DATABASE"] == "server"

    /// A ledger that belongs to a folder of a test's.
    static func location(in folder: TemporaryFolder, isOnServer: Bool = isOnServer) throws -> LedgerLocation {
        guard isOnServer else { return .file(path: folder.path + "/ledger.sqlite") }
        // The names of temporary folders differ in more than small letters.
        let name = folder.path.utf8.suffix(6).map { String($0, radix: 16) }.joined()
        return .server(try PostgreSQLServer.shared.get().address(), schema: "test_ledger_\(name)")
    }

    /// Makes a library in a folder whose ledger is on a server, if that is where ledgers are.
    static func choose(for library: String) throws {
        if isOnServer { try LibraryServer.choose(PostgreSQLServer.shared.get().address(), for: library) }
    }
}

extension LedgerLocation {
    /// A connection to the tables, past all that Rawmill does.
    func connection() throws -> Connection { try connection(mode: .readWrite, lock: nil) }

    /// Makes the tables those of another version.
    func setVersion(_ version: Int) throws {
        try connection().script(
            isServers ? "UPDATE schema_version SET steps = \(version)" : "PRAGMA user_version = \(version)")
    }
}
