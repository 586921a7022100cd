import Database
import ExternalTools
import Foundation
import PostgreSQL
import PostgreSQLServer
import Testing

@Suite("A database on a server", .needs(.postgreSQL))
struct ServerTests {
    private let server: PostgreSQLServer
    private let schema: String

    init() throws {
        server = try PostgreSQLServer.shared.get()
        schema = server.newSchema()
    }

    @Test("A test server has no shared memory in /dev/shm, where it would stay after a kill")
    func sharedMemory() throws {
        #expect(try open().first("SHOW dynamic_shared_memory_type") { $0.text(0) } == "mmap")
    }

    private func open(_ mode: ConnectionMode = .readWrite) throws -> Connection {
        let connection = try Connection(server: server.address(), schema: schema, mode: mode)
        if mode == .readWrite { try connection.migrate(EmptyDatabase.schema("CREATE TABLE t (x INTEGER PRIMARY KEY)")) }
        return connection
    }

    /// Ends all other connections to the schema, like a server that shuts down.
    private func cut() throws {
        let other = try Connection(server: server.address(), schema: "public")
        try other.each(
            """
            SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
            WHERE pid <> pg_backend_pid() AND query LIKE '%' || ? || '%'
            """, "mark_\(schema)"
        ) { _ in }
    }

    /// Marks the connection for the server.
    private func mark(_ connection: Connection) throws { try connection.script("SELECT 'mark_\(schema)'") }

    @Test("A connection that broke between transactions is restored, with its prepared statements")
    func broken() throws {
        let connection = try open()
        let insertion = "INSERT INTO t VALUES (?)"
        try connection.transaction { _ = try connection.run(insertion, 1) }
        try mark(connection)
        try cut()
        try connection.transaction { _ = try connection.run(insertion, 2) }
        try mark(connection)
        try cut()
        #expect(try connection.all("SELECT x FROM t ORDER BY x") { $0.integer(0) } == [1, 2])
    }

    @Test("A connection that breaks within a transaction undoes all of it, including later statements")
    func brokenWithin() throws {
        let connection = try open()
        let kind = refusal {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                try mark(connection)
                try cut()
                let inner = refusal { _ = try connection.run("INSERT INTO t VALUES (2)") }
                #expect(inner == .unreachable)
                try connection.run("INSERT INTO t VALUES (3)")
            }
        }
        #expect(kind == .unreachable)
        #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    @Test("A server without a free connection is reported with a remedy, and not as unreachable")
    func crowded() throws {
        let user = "alone_\(schema)"
        try open().script("CREATE USER \(user) CONNECTION LIMIT 1")
        let address = try server.address(user: user)
        let only = try Connection(server: address, schema: "public")
        let error = #expect(throws: DatabaseError.self) { try Connection(server: address, schema: "public") }
        withExtendedLifetime(only) {}
        #expect(error?.kind == .exhausted)
        let text = "\(String(describing: error))"
        #expect(text.contains("too many connections for role") && text.contains("max_connections"), "\(text)")
    }

    @Test("A process that lost the lock unnoticed cannot write while another has it, and may take it again afterwards")
    func fencing() throws {
        let address = try server.address()
        let lock = try ServerLock(address, name: schema, patience: .milliseconds(100))
        let connection = try Connection(server: address, schema: schema, lock: lock)
        try connection.migrate(EmptyDatabase.schema("CREATE TABLE t (x INTEGER)"))
        #expect(refusal { _ = try ServerLock(address, name: schema) } == .busy)
        do {
            let other = try Connection(server: address, schema: "public")
            try other.each(
                """
                SELECT pg_terminate_backend(l.pid, 10000) FROM pg_locks l WHERE l.locktype = 'advisory' AND l.objsubid = 1
                AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended(?, 1)
                """, "rawmill.\(schema)"
            ) { _ in }
            let taken = try ServerLock(address, name: schema)
            #expect(
                refusal { try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (1)") } } == .busy)
            withExtendedLifetime(taken) {}
        }
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2)") }
        #expect(try connection.all("SELECT x FROM t") { $0.integer(0) } == [2])
    }

    @Test("A transaction with an ignored error is not committed")
    func spoilt() throws {
        let connection = try open()
        let kind = refusal {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (1)")
                _ = try? connection.run("INSERT INTO t VALUES (1)")
            }
        }
        #expect(kind == .refused)
        #expect(try connection.first("SELECT count(*) FROM t") { $0.integer(0) } == 0)
    }

    @Test("A killed server loses no committed data, and its return is noticed")
    func killed() throws {
        let server = try PostgreSQLServer()
        let connection = try Connection(server: server.address(), schema: "kill_test")
        try connection.migrate(EmptyDatabase.schema("CREATE TABLE t (x INTEGER PRIMARY KEY)"))
        try connection.run("INSERT INTO t VALUES (1)")
        try server.kill()
        let kind = refusal { try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (2)") } }
        #expect(kind == .unreachable)
        try server.start()
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (3)") }
        #expect(try connection.all("SELECT x FROM t ORDER BY x") { $0.integer(0) } == [1, 3])
    }

    @Test("Many rows come one by one, and the rest are collected when another statement runs")
    func manyRows() throws {
        let connection = try open()
        try connection.run("INSERT INTO t SELECT * FROM generate_series(1, ?)", 20_000)
        var sum: Int64 = 0
        var count: Int64?
        try connection.each("SELECT x FROM t ORDER BY x") { row in
            if row.integer(0) == 5 { count = try connection.first("SELECT count(*) FROM t") { $0.integer(0) } }
            sum += row.integer(0)
        }
        #expect(sum == 200_010_000 && count == 20_000)
    }

    @Test("A wrong password is not retried, and no error shows one")
    func wrongPassword() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        func error(_ password: String) throws -> String? {
            try "*:*:*:*:\(password)".write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            let address = try server.address(user: PostgreSQLServer.userWithPassword, "&passfile=\(file.path)")
            do {
                _ = try Connection(server: address, schema: "public", mode: .readOnly)
                return nil
            } catch {
                #expect(error.kind == .cannotOpen)
                return error.description
            }
        }
        #expect(try error("open sesame") == nil)
        let wrong = try #require(try error("open barley"))
        #expect(wrong.contains("password authentication failed") && wrong.contains("PGPASSFILE"))
        #expect(!wrong.contains("barley"))
    }

    @Test("An address with a password is refused without showing it, and so is an invalid address")
    func addresses() throws {
        for text in [
            "postgresql://me:sesame@host/db", "postgresql://host/db?password=sesame", "postgresql://host/db?sesame=1",
            "postgresql://host:sesame/", "mysql://host/sesame", "postgresql://", "postgresql://host/",
            "postgresql://me:ses%zzsesame@host/db",
        ] {
            do {
                _ = try ServerAddress(text)
                #expect(Bool(false), "\(text) was taken")
            } catch {
                #expect(!"\(error)".contains("me:") && !"\(error)".contains("me:ses"))
                if text.contains(":sesame@") || text.contains("password") { #expect(!"\(error)".contains("sesame")) }
            }
        }
        let address = try ServerAddress("postgresql://me@host:5433/db?sslmode=verify-full")
        #expect("\(address)" == "postgresql://host:5433/db")
    }

    @Test("A missing server is unreachable, and the error states the remedy")
    func missing() throws {
        do {
            _ = try Connection(server: ServerAddress("postgresql:///db?host=/nowhere"), schema: "public")
            #expect(Bool(false), "it was there")
        } catch let error as DatabaseError {
            #expect(error.kind == .unreachable)
            #expect(error.description.contains("/nowhere") && error.description.contains("server runs"))
        }
    }
}
