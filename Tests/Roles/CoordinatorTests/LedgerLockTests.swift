import Database
import ExternalTools
import Foundation
import Jobs
import LibraryTables
import Manifests
import PostgreSQLServer
import Testing

@testable import Coordinator

@Suite("The lock of a ledger on a server", .needs(.postgreSQL))
struct LedgerLockTests {
    private let folder: TemporaryFolder
    private let library: String

    init() throws {
        folder = try TemporaryFolder()
        library = folder.path + "/library"
        try LibraryServer.choose(PostgreSQLServer.shared.get().address(), for: library)
    }

    private func open(_ lock: LedgerLock?) throws -> LedgerStore {
        let store = try LedgerStore(at: LedgerLocation(library: library), lock: lock)
        try store.roots.register(RootMap([RegisteredRoot(name: Example.root, path: Array("/archive".utf8))]))
        return store
    }

    private func kind(_ body: () throws -> Void) -> DatabaseError.Kind? {
        do { try body() } catch { return (error as? DatabaseError)?.kind }
        return nil
    }

    @Test("has one holder, and names it")
    func held() throws {
        let lock = try LedgerLock.take(library: library)
        do {
            _ = try LedgerLock.take(library: library)
            Issue.record("two have it")
        } catch let error as DatabaseError {
            #expect(error.kind == .busy && error.message.contains("process \(getpid()) on "), "\(error)")
        }
        withExtendedLifetime(lock) {}
        #expect(try LedgerLock.take(library: folder.folder("other")) == nil)
    }

    @Test("is taken from a silent process, which writes nothing afterwards, and never gets it back")
    func evicted() throws {
        let first = try LedgerLock.take(library: library)
        let store = try open(first)
        let submission = Example.submission()
        try store.intake.accept(["a.CR2"], for: submission)
        usleep(300_000)
        do {
            let second = try LedgerLock.take(library: library, evicting: .milliseconds(200))
            let successor = try open(second)
            #expect(kind { try store.intake.accept(["b.CR2"], for: submission) } == .busy)
            #expect(kind { try store.control.pause(submission.batch) } == .busy)
            #expect(kind { try store.operatorState.pauseAll() } == .busy)
            try successor.intake.accept(["c.CR2"], for: submission)
            #expect(try successor.reports.totals().accepted == 2)
        }
        #expect(kind { try store.intake.accept(["d.CR2"], for: submission) } == .busy)
    }

    @Test("is not taken from a process that shows signs of life")
    func kept() async throws {
        let first = try #require(try LedgerLock.take(library: library))
        let keeping = Task { try await first.keep() }
        #expect(kind { _ = try LedgerLock.take(library: library, evicting: .seconds(8)) } == .busy)
        keeping.cancel()
    }

    @Test("undoes the unfinished work of a process that fell silent")
    func stoppedInTransaction() throws {
        let first = try LedgerLock.take(library: library)
        _ = try open(first)
        let location = try LedgerLocation(library: library)
        let stopped = try location.connection(mode: .readWrite, lock: first)
        var second: LedgerLock?
        let failure = kind {
            try stopped.transaction {
                try stopped.run("UPDATE operator SET paused = 1")
                usleep(300_000)
                second = try LedgerLock.take(library: library, evicting: .milliseconds(200))
            }
        }
        #expect(failure == .unreachable)
        #expect(try !open(second).reports.isPaused())
    }

    @Test("moves to the server with its library's tables, and back, with all its counts")
    func moved() async throws {
        let library = folder.path + "/moved"
        try folder.folder("moved/.rawmill")
        let counts = try {
            let source = try LedgerStore(at: .file(path: LedgerStore.path(inLibrary: library)))
            try source.roots.register(RootMap([RegisteredRoot(name: Example.root, path: Array("/archive".utf8))]))
            try source.intake.accept(["a.CR2", "b.CR2"])
            let job = try source.sendAll()[0]
            _ = try source.end([Example.result(job, Example.completed())])
            return try source.reports.totals()
        }()
        try LibraryServer.choose(PostgreSQLServer.shared.get().address(), for: library)
        // A ledger in the folder counts until it is moved.
        #expect(try !LedgerLocation(library: library).isServers)
        var lock = try LedgerLock.take(library: library)
        try LedgerMigration(library: library, lock: lock).moveToServer()
        #expect(try LedgerLocation(library: library).isServers)
        do {
            let moved = try LedgerStore(at: LedgerLocation(library: library), lock: lock)
            #expect(try moved.reports.totals() == counts && moved.reports.audit() == [])
            try moved.intake.accept(["c.CR2"])
            #expect(try moved.reports.audit() == [] && moved.reports.totals().accepted == 3)
        }
        try LedgerMigration(library: library, lock: lock).moveToFolder()
        lock = nil
        let back = try LedgerStore(at: LedgerLocation(library: library))
        #expect(try !LedgerLocation(library: library).isServers && back.reports.totals().accepted == 3)
        #expect(throws: DatabaseError.self) {
            try LedgerLocation(library: library).connection().run("DELETE FROM jobs")
        }
        #expect(try back.reports.audit() == [])
    }
}
