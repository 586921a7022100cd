import Database
import SeededRandom
import Testing

@Suite("One statement for many rows of values")
struct ManyRowsTests {
    private let table = "CREATE TABLE t (i INTEGER PRIMARY KEY, r REAL, s TEXT, path BLOB)"

    private func rows(_ connection: Connection) throws -> [[DatabaseValue]] {
        try connection.all("SELECT i, r, s, path FROM t ORDER BY i") { row in
            [
                .integer(row.integer(0)), row.isNull(1) ? .null : .real(row.real(1)),
                row.isNull(2) ? .null : .text(row.text(2)), row.isNull(3) ? .null : .blob(row.blob(3)),
            ]
        }
    }

    private let some: [[DatabaseValue]] = [
        [.integer(.min), .real(-0.5), .text("'); DROP TABLE t; -- $1 ?"), .blob([0, 255])],
        [.integer(-1), .null, .text(""), .blob([])], [.integer(7), .real(1e300), .null, .null],
        [.integer(.max), .null, .text("é😀"), .blob([UInt8](repeating: 9, count: 5000))],
    ]

    @Test("inserts, changes and removes them like one statement for each", arguments: BackEnd.here)
    func writes(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        try connection.transaction {
            for rows in [some, []] { try connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", rows: rows) }
        }
        #expect(try rows(connection) == some)
        let again = [some[0], [.integer(8), .null, .null, .blob([1])]]
        try connection.run("INSERT INTO t VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", rows: again)
        try connection.run(
            "UPDATE t SET s = ?, r = ? WHERE i = ?",
            rows: [[.text("a"), .null, .integer(8)], [.null, .real(2), .integer(7)], [.null, .null, .integer(9)]])
        #expect(try rows(connection)[2] == [.integer(7), .real(2), .null, .null])
        try connection.run("DELETE FROM t WHERE path = ?", rows: [[some[3][3]], [.blob([3])]])
        let left: [[DatabaseValue]] = [
            some[0], some[1], [.integer(7), .real(2), .null, .null], [.integer(8), .null, .text("a"), .blob([1])],
        ]
        #expect(try rows(connection) == left)
    }

    @Test("finds the same as one query for each", arguments: BackEnd.here)
    func reads(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        var random = SeededGenerator()
        print("reads: seed \(random.seed)")
        let paths: [[UInt8]] = (0..<300).map { number in
            [UInt8](repeating: 5, count: number % 3 == 0 ? 2000 : 3) + [UInt8(number % 90)]
        }
        try connection.run(
            "INSERT INTO t VALUES (?, ?, ?, ?)",
            rows: paths.enumerated().map { [.integer(Int64($0)), .null, .text("\($0 % 7)"), .blob($1)] })
        for sql in [
            "SELECT i FROM t WHERE path = ? AND s = ?",
            "SELECT i FROM t WHERE path = ?1 AND i < 100 UNION ALL SELECT i FROM t WHERE path = ?1 AND s = ?2",
        ] {
            let keys: [[DatabaseValue]] = (0..<40).map { number in
                [.blob(paths.randomElement(using: &random) ?? []), .text("\(number % 8)")]
            }
            var expected: [Int64] = []
            for key in keys { try connection.each(sql, values: key) { expected.append($0.integer(0)) } }
            var found: [Int64] = []
            try connection.each(sql, keys: keys) { found.append($0.integer(0)) }
            #expect(found.sorted() == expected.sorted())
            #expect(!found.isEmpty)
        }
    }

    @Test(
        "writes rows of a table with any values, and continues after an error",
        arguments: BackEnd.here)
    func inserts(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        let others: [[DatabaseValue]] = (0..<1000).map { number in
            [
                .integer(-1000 - Int64(number)),
                .real([0, -0.0, .leastNonzeroMagnitude, .infinity, -.greatestFiniteMagnitude][number % 5]),
                .text(["\u{1}\n\t\\", "\u{10FFFF}e\u{301}", "\\N", "\u{FEFF}\u{200F}ש"][number % 4]),
                .blob((0..<number).map { UInt8(truncatingIfNeeded: $0 &* number) }),
            ]
        }
        let all = others.reversed() + some
        try connection.transaction {
            try connection.insert([], into: "t", columns: ["i"])
            // The columns in another order than the table's.
            try connection.insert(
                all.map { [$0[3], $0[0], $0[1], $0[2]] }, into: "t", columns: ["path", "i", "r", "s"])
        }
        #expect(try rows(connection) == all.sorted { Self.number($0) < Self.number($1) })
        // Large rows, an existing one, and a missing column.
        let large: [[DatabaseValue]] = [[.integer(1), .blob([UInt8](repeating: 7, count: 1 << 20))]]
        for (rows, columns) in [(large + [[.integer(7), .null]], ["i", "path"]), (large, ["i", "none"])] {
            let error = #expect(throws: DatabaseError.self) {
                try connection.transaction { try connection.insert(rows, into: "t", columns: columns) }
            }
            #expect(error?.kind == .refused)
            #expect(error?.statement?.contains(" t (i, ") == true)
            #expect(try self.rows(connection).count == all.count)
        }
        try connection.transaction { try connection.insert(large, into: "t", columns: ["i", "path"]) }
        #expect(try rows(connection).count == all.count + 1)
    }

    private static func number(_ row: [DatabaseValue]) -> Int64 {
        if case .integer(let number) = row[0] { number } else { 0 }
    }

    @Test("An error undoes all of them", arguments: BackEnd.here)
    func errors(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        let twice = some + [some[1]]
        #expect(throws: DatabaseError.self) {
            try connection.transaction { try connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", rows: twice) }
        }
        #expect(try rows(connection).isEmpty)
    }

    @Test(
        "An error that a server finds later is reported with its statement, and undoes the transaction",
        arguments: BackEnd.here)
    func lateErrors(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        let twice = some + [some[1]]
        let insertion = "INSERT INTO t VALUES (?, ?, ?, ?)"
        for next in ["SELECT i FROM t", "DELETE FROM t WHERE i = 5"] {
            let error = #expect(throws: DatabaseError.self) {
                try connection.transaction {
                    try connection.run(insertion, rows: twice)
                    try connection.each(next, values: []) { _ in }
                    Issue.record("nothing was thrown by the insertion or the next statement")
                }
            }
            #expect(error?.statement == insertion)
            #expect(try rows(connection).isEmpty)
        }
    }

    @Test("Rows are written while others are read", arguments: BackEnd.here)
    func writesWhileReading(_ backEnd: BackEnd) throws {
        let connection = try backEnd.connection(table)
        try connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", rows: some)
        var read: [Int64] = []
        try connection.transaction {
            try connection.each("SELECT i FROM t WHERE i < 50 ORDER BY i") { row in
                read.append(row.integer(0))
                let more: [DatabaseValue] = [.integer(100 + Int64(read.count)), .null, .null, .null]
                try connection.run("INSERT INTO t VALUES (?, ?, ?, ?)", rows: [more])
            }
        }
        #expect(read == [.min, -1, 7])
        #expect(try rows(connection).count == some.count + 3)
    }
}
