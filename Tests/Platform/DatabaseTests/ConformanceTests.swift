import Database
import ExternalTools
import SeededRandom
import Testing

/// Common behaviour of all back ends.
@Suite("Every back end")
struct ConformanceTests {
    private func numbers(_ connection: Connection) throws -> [Int64] {
        try connection.all("SELECT x FROM t ORDER BY x") { $0.integer(0) }
    }

    private func filled(_ backEnd: BackEnd, _ count: Int64 = 3) throws -> Connection {
        let connection = try backEnd.connection("CREATE TABLE t (x INTEGER PRIMARY KEY)")
        for number in 0..<count { try connection.run("INSERT INTO t VALUES (?)", number) }
        return connection
    }

    // MARK: Values

    @Test("returns values unchanged", arguments: BackEnd.here)
    func values(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB)")
        let rows: [(Int64?, Double?, String?, [UInt8]?)] = [
            (0, 0, "", []), (.min, -0.0, "é€😀", [0]), (.max, .infinity, "'); DROP TABLE t; --", [0, 1, 255]),
            (-1, 1e-300, "?1 :x @y $z \\ \u{FFFD}", [UInt8](repeating: 9, count: 100_000)), (nil, nil, nil, nil),
        ]
        for row in rows {
            try connection.run("DELETE FROM t")
            #expect(try connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", row.0, row.1, row.2, row.3) == 1)
            let isSame = try connection.first("SELECT i, r, s, b FROM t") { found in
                if row.0 == nil {
                    return (0..<4).allSatisfy { found.isNull($0) } && found.blob(3).isEmpty && found.text(2).isEmpty
                }
                return found.integer(0) == row.0 && found.real(1) == row.1 && found.text(2) == row.2
                    && found.blob(3) == row.3
            }
            #expect(isSame == true)
            let count = try connection.first(
                "SELECT count(*) FROM t WHERE i = ? AND r = ? AND s = ? AND b = ?", row.0, row.1, row.2, row.3
            ) { $0.integer(0) }
            #expect(count == (row.0 == nil ? 0 : 1))
        }
    }

    @Test("keeps all bits of an unsigned number", arguments: BackEnd.here)
    func unsigned(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (x INTEGER)")
        for number in [0, UInt64(Int64.max) + 1, .max] {
            try connection.run("DELETE FROM t")
            try connection.run("INSERT INTO t VALUES (?)", number)
            #expect(try connection.first("SELECT x FROM t") { UInt64(bitPattern: $0.integer(0)) } == number)
        }
    }

    @Test("sums integers exactly, and returns truth as 1 and 0", arguments: BackEnd.here)
    func expressions(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (x INTEGER)")
        let large: Int64 = 4_611_686_018_427_387_903
        for number in [large, large, -5] { try connection.run("INSERT INTO t VALUES (?)", number) }
        #expect(try connection.first("SELECT sum(x) FROM t") { $0.integer(0) } == 2 * large - 5)
        #expect(try connection.first("SELECT sum(x) FROM t WHERE x < 0") { $0.integer(0) } == -5)
        #expect(try connection.first("SELECT sum(x) FROM t WHERE x = 1") { $0.isNull(0) } == true)
        #expect(try connection.all("SELECT x > 0 FROM t ORDER BY x") { $0.integer(0) } == [0, 1, 1])
        #expect(try connection.first("SELECT count(*) FROM t WHERE x > ?", 0.5) { $0.integer(0) } == 2)
        #expect(try connection.first("SELECT count(*) FROM t WHERE x > ?", -5) { $0.integer(0) } == 2)
    }

    @Test("orders text and blobs by their bytes", arguments: BackEnd.here)
    func order(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (s TEXT, b BLOB)")
        var random = SeededGenerator()
        print("order: seed \(random.seed)")
        let words = ["", "a", "B", "b", "Z", "_", "é", "É", "ß", "aé", "a b", "a-b", "ab", "😀", "\u{FFFD}", "10", "9"]
        for word in words.shuffled(using: &random) {
            try connection.run("INSERT INTO t VALUES (?, ?)", word, Array(word.utf8))
        }
        let sorted = words.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(try connection.all("SELECT s FROM t ORDER BY s") { $0.text(0) } == sorted)
        #expect(try connection.all("SELECT s FROM t ORDER BY b DESC") { $0.text(0) } == sorted.reversed())
        let lower = try connection.all("SELECT lower(s) FROM t WHERE s IN ('É', 'B', 'Z') ORDER BY s") { $0.text(0) }
        #expect(lower == ["b", "z", "É"])
    }

    @Test("accepts bytes as text, even if they are not UTF-8", arguments: BackEnd.here)
    func bytesAsText(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (b BLOB)")
        for path in ["photos/Aé.jpg", "photos/B.jpg"] {
            try connection.run("INSERT INTO t VALUES (?)", Array(path.utf8))
        }
        try connection.run("INSERT INTO t VALUES (?)", Array("photos/C".utf8) + [0xFF] + Array(".jpg".utf8))
        let sql = "SELECT b FROM t WHERE lower(CAST(b AS TEXT)) LIKE ? ESCAPE '\\' ORDER BY b"
        #expect(try connection.all(sql, "photos/%.jpg") { _ in 1 }.count == 3)
        #expect(try connection.all(sql, "photos/c%") { $0.blob(0) }.first?.contains(0xFF) == true)
        #expect(try connection.all(sql, "photos/a_.jpg") { $0.blob(0) }.count == 1)
    }

    // MARK: Statements

    @Test("changes rows, and reports their number and ids", arguments: BackEnd.here)
    func changes(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection("CREATE TABLE t (id IDENTITY, x TEXT UNIQUE)")
        #expect(try connection.insert("INSERT INTO t (x) VALUES (?)", "a") == 1)
        #expect(try connection.insert("INSERT INTO t (x) VALUES (?)", "b") == 2)
        #expect(try connection.run("INSERT INTO t (x) VALUES (?) ON CONFLICT DO NOTHING", "b") == 0)
        #expect(
            try connection.run(
                "INSERT INTO t (id, x) VALUES (?, ?) ON CONFLICT (x) DO UPDATE SET x = excluded.x || '!'", 9, "b") == 1)
        #expect(try connection.all("SELECT x FROM t ORDER BY id") { $0.text(0) } == ["a", "b!"])
        #expect(try connection.run("DELETE FROM t WHERE id > ?", 0) == 2)
        #expect(try connection.run("DELETE FROM t") == 0)
    }

    @Test("accepts a value for several places", arguments: BackEnd.here)
    func placeholders(_ backEnd: BackEnd) throws {
        let connection = try filled(backEnd, 5)
        let sql = "SELECT x FROM t WHERE x = ?1 UNION SELECT x + 1 FROM t WHERE x = ?1 -- '?\nORDER BY x"
        #expect(try connection.all(sql, 2) { $0.integer(0) } == [2, 3])
        #expect(try connection.first("SELECT count(*) FROM t WHERE '?' <> '''?'") { $0.integer(0) } == 5)
        #expect(
            try connection.all("SELECT x FROM t WHERE (x, x) > (?, ?) ORDER BY x LIMIT ?", 1, 0, 2) { $0.integer(0) }
                == [1, 2])
    }

    @Test("lets a loop over rows run statements, even the same one", arguments: BackEnd.here)
    func loops(_ backEnd: BackEnd) throws {
        let connection = try filled(backEnd, 3)
        var pairs: [[Int64]] = []
        try connection.each("SELECT x FROM t ORDER BY x") { outer in
            let first = outer.integer(0)
            try connection.each("SELECT x FROM t ORDER BY x") { pairs.append([first, $0.integer(0)]) }
            #expect(outer.integer(0) == first)
        }
        #expect(pairs == [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2], [2, 0], [2, 1], [2, 2]])
    }

    @Test("stops a walk whose body returns false or throws", arguments: BackEnd.here)
    func stops(_ backEnd: BackEnd) throws {
        let connection = try filled(backEnd, 10)
        var seen: [Int64] = []
        try connection.walk("SELECT x FROM t ORDER BY x") { row in
            seen.append(row.integer(0))
            return seen.count < 3
        }
        #expect(seen == [0, 1, 2])
        struct Enough: Error {}
        #expect(throws: Enough.self) { try connection.each("SELECT x FROM t") { _ in throw Enough() } }
        #expect(throws: Enough.self) {
            try connection.each("SELECT x FROM t WHERE x > ?", values: [.integer(2)]) { _ in throw Enough() }
        }
        #expect(try connection.first("SELECT x FROM t ORDER BY x DESC") { $0.integer(0) } == 9)
        #expect(try connection.run("DELETE FROM t") == 10)
    }

    // MARK: Transactions

    @Test("performs a transaction as a whole or not at all", arguments: BackEnd.here)
    func transactions(_ backEnd: BackEnd) throws {
        struct Enough: Error {}
        let connection = try filled(backEnd, 2)
        #expect(throws: Enough.self) {
            try connection.transaction {
                try connection.run("INSERT INTO t VALUES (7)")
                throw Enough()
            }
        }
        #expect(try numbers(connection) == [0, 1])
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (8)") }
        let again = refusal { try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (8)") } }
        #expect(again == .refused)
        #expect(refusal { try connection.transaction { try connection.transaction {} } } == .refused)
        #expect(try numbers(connection) == [0, 1, 8])
    }

    @Test("runs transactions of several writers one after the other", arguments: BackEnd.here)
    func writers(_ backEnd: BackEnd) async throws {
        let database = try backEnd.database()
        try database.open("CREATE TABLE t (x INTEGER)").run("INSERT INTO t VALUES (0)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let connection = try database.open()
                    for _ in 0..<25 {
                        try connection.transaction {
                            let known = try connection.first("SELECT x FROM t") { $0.integer(0) } ?? 0
                            try connection.run("UPDATE t SET x = ?", known + 1)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try database.open().first("SELECT x FROM t") { $0.integer(0) } == 100)
    }

    @Test("shows a reader committed data, and does not let it write", arguments: BackEnd.here)
    func reader(_ backEnd: BackEnd) throws {
        let database = try backEnd.database()
        let writer = try database.open("CREATE TABLE t (x INTEGER PRIMARY KEY)")
        let reader = try database.open(mode: .readOnly)
        try writer.transaction {
            try writer.run("INSERT INTO t VALUES (2)")
            #expect(try numbers(reader) == [])
        }
        #expect(try numbers(reader) == [2])
        #expect(refusal { _ = try reader.run("INSERT INTO t VALUES (9)") } == .readOnly)
    }

    // MARK: Schemas

    @Test("creates the tables once, whichever connection opens the database first", arguments: BackEnd.here)
    func schemas(_ backEnd: BackEnd) async throws {
        let schema = EmptyDatabase.schema("CREATE TABLE t (x INTEGER)", "INSERT INTO t VALUES (1)")
        let database = try backEnd.database()
        #expect(try database.open().schemaVersion == 0)
        struct Interrupted: Error {}
        #expect(throws: Interrupted.self) { try database.open().migrate(schema) { throw Interrupted() } }
        #expect(try database.open().schemaVersion == 0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try database.open().migrate(schema) } }
            try await group.waitForAll()
        }
        #expect(try database.open().schemaVersion == 2)
        #expect(try numbers(database.open()) == [1])
        #expect(
            refusal { try database.open().migrate(EmptyDatabase.schema("CREATE TABLE t (x INTEGER)")) } == .newerSchema)
    }

    @Test("migrates the tables of an earlier version with their rows", arguments: BackEnd.here)
    func laterStep(_ backEnd: BackEnd) throws {
        let database = try backEnd.database()
        let steps = ["CREATE TABLE t (x INTEGER)", "INSERT INTO t VALUES (1)"]
        try database.open().migrate(EmptyDatabase.schema(steps[0], steps[1]))
        let later = Schema(
            steps.map { Migration($0) } + [
                Migration("ALTER TABLE t ADD COLUMN y INTEGER", onServer: "ALTER TABLE t ADD COLUMN y bigint")
            ],
            onServer: "CREATE TABLE t (x bigint, y bigint)")
        let connection = try database.open()
        try connection.migrate(later)
        try connection.run("UPDATE t SET y = x + 1")
        #expect(try connection.all("SELECT x, y FROM t") { [$0.integer(0), $0.integer(1)] } == [[1, 2]])
        #expect(try database.open().schemaVersion == 3)
        try database.open().migrate(later)
    }

    // MARK: Errors

    @Test("refuses violations of constraints, and quotes a wrong statement", arguments: BackEnd.here)
    func refusals(_ backEnd: BackEnd) throws {
        let connection = try filled(backEnd, 1)
        #expect(refusal { _ = try connection.run("INSERT INTO t VALUES (0)") } == .refused)
        #expect(refusal { _ = try connection.run("INSERT INTO t VALUES (?)", "no number") } == .refused)
        do {
            try connection.run("SELEKT 1")
            #expect(Bool(false), "it ran")
        } catch {
            #expect(error.kind == .refused && error.statement == "SELEKT 1")
            #expect(error.description.contains("[SELEKT 1]"))
        }
        #expect(try numbers(connection) == [0])
    }
}
