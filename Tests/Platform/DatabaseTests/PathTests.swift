import Database
import SeededRandom
import Testing

/// Every back end finds, orders and distinguishes paths of any length that Linux allows.
@Suite("Paths in a database")
struct PathTests {
    private let paths: [[UInt8]]

    init() {
        var numbers = SeededGenerator(seed: 1)
        func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 1...255, using: &numbers) } }
        let long = bytes(4000)
        let beginning = Array(long.prefix(1000))
        paths = [
            [], [1], beginning, long, beginning + [0x61], long.dropLast() + [long[3999] ^ 1], bytes(1001), bytes(2800),
            Array(long.prefix(999)) + [long[999] &+ 1],
        ]
    }

    private func connection(_ backEnd: BackEnd) throws -> Connection {
        let tables = { (blob: String, number: String, key: (String) -> String) in
            """
            CREATE TABLE t (path \(blob) NOT NULL, n \(number) NOT NULL);
            CREATE UNIQUE INDEX t_paths ON t(\(key("path")));
            CREATE TABLE u (root \(number) NOT NULL, path \(blob) NOT NULL);
            CREATE UNIQUE INDEX u_paths ON u(root, \(key("path")));
            """
        }
        let database = try backEnd.database()
        defer { withExtendedLifetime(database) {} }
        let connection = try database.open()
        try connection.migrate(
            Schema(
                [Migration(tables("BLOB", "INTEGER", { $0 }))],
                onServer: tables("bytea", "bigint", { IndexedPath.key($0) })))
        return connection
    }

    @Test("are unique, and found at any length", arguments: BackEnd.here)
    func unique(_ backEnd: BackEnd) throws {
        let connection = try connection(backEnd)
        for (number, path) in paths.enumerated() {
            let insertion =
                "INSERT INTO t VALUES (?, ?) ON CONFLICT (path) DO UPDATE SET n = excluded.n WHERE t.path = ?1"
            try connection.run(insertion, path, number)
            try connection.run(insertion, path, number + 100)
            #expect(throws: DatabaseError.self) { try connection.run("INSERT INTO t VALUES (?, ?)", path, 1) }
            #expect(try connection.run("INSERT INTO t VALUES (?, ?) ON CONFLICT DO NOTHING", path, 1) == 0)
            try connection.run("INSERT INTO u VALUES (1, ?)", path)
        }
        for (number, path) in paths.enumerated() {
            #expect(
                try connection.all("SELECT n FROM t WHERE path = ?", path) { $0.integer(0) } == [Int64(number + 100)])
        }
        #expect(
            try connection.first("SELECT count(*) FROM u JOIN t ON t.path = u.path WHERE u.root = ?", 1) {
                $0.integer(0)
            } == Int64(paths.count))
        try connection.run("UPDATE t SET path = ? WHERE path = ?", [9], paths[3])
        #expect(try connection.first("SELECT n FROM t WHERE t.path = ?", [9]) { $0.integer(0) } == 103)
        #expect(try connection.run("DELETE FROM t WHERE (path = ?2 OR path = ?1)", [9], paths[1]) == 2)
    }

    @Test("are in the order of their bytes, also in parts", arguments: BackEnd.here)
    func ordered(_ backEnd: BackEnd) throws {
        let connection = try connection(backEnd)
        for path in paths.shuffled() { try connection.run("INSERT INTO t VALUES (?, 0)", path) }
        let sorted = paths.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(try connection.all("SELECT path FROM t ORDER BY path") { $0.blob(0) } == sorted)
        #expect(
            try connection.all("SELECT t.path FROM t ORDER BY t.path DESC LIMIT 3") { $0.blob(0) }
                == Array(sorted.reversed().prefix(3)))
        #expect(try connection.all("SELECT DISTINCT path FROM t ORDER BY path") { $0.blob(0) } == sorted)
        for (index, path) in sorted.enumerated() {
            let after = try connection.all("SELECT path FROM t WHERE path > ? ORDER BY path LIMIT 2", path) {
                $0.blob(0)
            }
            #expect(after == Array(sorted[(index + 1)...].prefix(2)))
            #expect(
                try connection.first("SELECT count(*) FROM t WHERE path >= ? AND path <= ?1", path) { $0.integer(0) }
                    == 1)
            #expect(
                try connection.first("SELECT count(*) FROM t WHERE path < ?", path) { $0.integer(0) } == Int64(index))
        }
    }
}
