import Database
import ExternalTools
import Foundation
import Jobs
import LibraryTables
import Manifests
import PostgreSQLServer
import Testing
import Upkeep

@testable import Coordinator

@Suite("Backups of a ledger")
struct LedgerBackupTests {
    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        library = try folder.folder("library")
        try folder.folder("library/.rawmill")
    }

    private func backUp(state: String? = nil) throws -> (backup: BackupFolder, hasLedger: Bool) {
        let path = "\(folder.path)/backup"
        var hasLedger = false
        try BackupFolder.make(at: path) { backup in
            hasLedger = try LedgerBackup(library: library, state: state).write(to: backup)
        }
        return (try BackupFolder(existing: path), hasLedger)
    }

    /// Accepts two files, backs up while the ledger is open, accepts another, and restores.
    private func goBack(_ lock: LedgerLock?, state: String? = nil) throws -> LedgerStore {
        let location = try state.map { .inFolder($0) } ?? LedgerLocation(library: library)
        let backup: BackupFolder
        do {
            let store = try LedgerStore(at: location, lock: lock)
            try store.roots.register(RootMap([RegisteredRoot(name: Example.root, path: Array("/archive".utf8))]))
            try store.intake.accept(["a.CR2", "b.CR2"])
            let taken = try backUp(state: state)
            #expect(taken.hasLedger)
            backup = taken.backup
            try store.intake.accept(["c.CR2"])
            #expect(try store.reports.totals().accepted == 3)
        }
        try LedgerBackup(library: library, state: state).restore(from: backup, lock: lock)
        let store = try LedgerStore(at: location, lock: lock)
        #expect(try store.reports.totals().accepted == 2 && store.reports.audit() == [])
        try store.intake.accept(["d.CR2"])
        #expect(try store.reports.audit() == [])
        return store
    }

    @Test("A ledger in a library's folder is restored, and the previous one is kept")
    func file() throws {
        _ = try goBack(nil)
        let kept = try LedgerStore(at: .file(path: LedgerStore.path(inLibrary: library) + ".old"))
        #expect(try kept.reports.totals().accepted == 3)
    }

    @Test("A ledger in its own folder is restored")
    func stateFolder() throws {
        let state = try folder.folder("state")
        _ = try goBack(nil, state: state)
        #expect(try !LedgerBackup(library: library, state: nil).write(to: try backUpOfNothing()))
    }

    private func backUpOfNothing() throws -> BackupFolder {
        var empty: BackupFolder?
        try BackupFolder.make(at: "\(folder.path)/empty") { empty = $0 }
        return try #require(empty)
    }

    @Test("A ledger on a server is restored, also if its tables are lost", .needs(.postgreSQL))
    func server() throws {
        try LibraryServer.choose(PostgreSQLServer.shared.get().address(), for: library)
        let lock = try LedgerLock.take(library: library)
        _ = try goBack(lock)
        guard case .server(let address, let schema) = try LedgerLocation(library: library) else {
            Issue.record("it is a file")
            return
        }
        try Connection(server: address, schema: schema).script("DROP SCHEMA \(schema) CASCADE")
        let backup = try BackupFolder(existing: "\(folder.path)/backup")
        try LedgerBackup(library: library, state: nil).restore(from: backup, lock: lock)
        let store = try LedgerStore(at: LedgerLocation(library: library), lock: lock)
        #expect(try store.reports.totals().accepted == 2 && store.reports.audit() == [])
    }

    @Test("A backup without a ledger reports this, and changes nothing")
    func none() throws {
        let taken = try backUp()
        #expect(!taken.hasLedger)
        #expect(throws: LibraryError.self) {
            try LedgerBackup(library: library, state: nil).restore(from: taken.backup, lock: nil)
        }
        #expect(!LedgerLocation.isPresent(LedgerStore.path(inLibrary: library)))
    }
}
