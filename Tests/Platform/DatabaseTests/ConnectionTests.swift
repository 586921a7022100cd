import Database
import Testing

@Suite("A connection")
struct ConnectionTests {
    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    private func numbers(_ connection: Connection) throws -> [Int64] {
        try connection.all("SELECT x FROM t ORDER BY x") { $0.integer(0) }
    }

    private func filled(_ count: Int64 = 3) throws -> Connection {
        let connection = try database.open()
        try connection.script("CREATE TABLE t (x INTEGER PRIMARY KEY)")
        for number in 0..<count { try connection.run("INSERT INTO t VALUES (?)", number) }
        return connection
    }

    @Test("It uses a write-ahead log, and syncs every commit")
    func pragmas() throws {
        let connection = try database.open()
        #expect(try connection.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try connection.first("PRAGMA synchronous") { $0.integer(0) } == 2)
        #expect(try connection.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
    }

    @Test("It returns the number of changed rows, and the last row's id")
    func counts() throws {
        let connection = try filled(5)
        #expect(connection.lastInsertedRow == 4)
        #expect(try connection.run("DELETE FROM t WHERE x > ?", 2) == 2)
        #expect(try connection.run("DELETE FROM t WHERE x > ?", 2) == 0)
    }

    @Test("A loop over a statement can run the same statement")
    func reentrant() throws {
        let connection = try filled(3)
        var pairs: [[Int64]] = []
        try connection.each("SELECT x FROM t ORDER BY x") { outer in
            let first = outer.integer(0)
            try connection.each("SELECT x FROM t ORDER BY x") { pairs.append([first, $0.integer(0)]) }
        }
        #expect(pairs == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]])
    }

    @Test("A walk stops when its body returns false or throws, and the connection stays usable")
    func stops() throws {
        let connection = try filled(10)
        var seen: [Int64] = []
        try connection.walk("SELECT x FROM t ORDER BY x") { row in
            seen.append(row.integer(0))
            return seen.count < 3
        }
        #expect(seen == [0, 1, 2])
        struct Enough: Error {}
        #expect(throws: Enough.self) { try connection.each("SELECT x FROM t") { _ in throw Enough() } }
        #expect(try connection.first("SELECT x FROM t ORDER BY x DESC") { $0.integer(0) } == 9)
        #expect(try connection.run("DELETE FROM t") == 10)
    }

    @Test("A transaction is done as a whole or not at all")
    func transactions() throws {
        struct Enough: Error {}
        let connection = try filled(2)
        #expect(throws: Enough.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (7)")
                throw Enough()
            }
        }
        #expect(try numbers(connection) == [0, 1])
        let value = try connection.transaction {
            try connection.run("INSERT INTO t VALUES (8)")
            return "done"
        }
        #expect(value == "done")
        #expect(try numbers(connection) == [0, 1, 8])
        let again = refusal { try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (8)") } }
        #expect(again == .refused)
        #expect(try numbers(connection) == [0, 1, 8])
    }

    @Test("A transaction inside a transaction is refused, and the outer one goes on")
    func nested() throws {
        let connection = try filled(0)
        try connection.transaction {
            try connection.run("INSERT INTO t VALUES (1)")
            #expect(refusal { try connection.transaction {} } == .refused)
            try connection.run("INSERT INTO t VALUES (2)")
        }
        #expect(try numbers(connection) == [1, 2])
    }

    @Test("A read-only connection sees what was committed, and cannot write")
    func readOnly() throws {
        let writer = try filled(2)
        let reader = try database.open(.readOnly)
        #expect(try numbers(reader) == [0, 1])
        #expect(refusal { _ = try reader.run("INSERT INTO t VALUES (9)") } == .readOnly)
        try writer.transaction {
            try writer.run("INSERT INTO t VALUES (2)")
            #expect(try numbers(reader) == [0, 1])
        }
        #expect(try numbers(reader) == [0, 1, 2])
    }
}
