import Database
import Testing

@Suite("A value in the database")
struct ValueTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:")
        try connection.script("CREATE TABLE t (x)")
    }

    @Test(
        "A value survives a round trip",
        arguments: [
            .null, .integer(0), .integer(.min), .integer(.max), .real(-0.0), .real(.infinity), .real(1e-300),
            .text(""), .text("é€😀"), .text("a\0b"), .text("'); DROP TABLE t; --"), .text("?1 :x @y $z"),
            .blob([]), .blob([0, 1, 255]), .blob([UInt8](repeating: 9, count: 100_000)),
        ] as [DatabaseValue])
    func roundTrip(value: DatabaseValue) throws {
        try connection.run("INSERT INTO t VALUES (?)", Raw(databaseValue: value))
        let found = try connection.first("SELECT x, typeof(x) FROM t") { row -> DatabaseValue in
            switch row.text(1) {
            case "null": .null
            case "integer": .integer(row.integer(0))
            case "real": .real(row.real(0))
            case "text": .text(row.text(0))
            default: .blob(row.blob(0))
            }
        }
        #expect(found == value)
        #expect(try connection.first("SELECT x IS ? FROM t", Raw(databaseValue: value)) { $0.integer(0) } == 1)
    }

    @Test("An unsigned 64-bit value keeps all its bits")
    func unsigned() throws {
        for number in [0, 1, UInt64(Int64.max), UInt64(Int64.max) + 1, .max] {
            try connection.run("DELETE FROM t")
            try connection.run("INSERT INTO t VALUES (?)", number)
            #expect(try connection.first("SELECT x FROM t") { UInt64(bitPattern: $0.integer(0)) } == number)
        }
    }

    @Test("A missing value is NULL, which reads as zero or empty and can be distinguished")
    func null() throws {
        try connection.run("INSERT INTO t VALUES (?)", String?.none)
        let found = try connection.first("SELECT x FROM t") { row -> (Bool, Int64, Double, String, [UInt8]) in
            (row.isNull(0), row.integer(0), row.real(0), row.text(0), row.blob(0))
        }
        #expect(found?.0 == true && found?.1 == 0 && found?.2 == 0 && found?.3 == "" && found?.4 == [])
    }

    @Test("Text that is not UTF-8 is repaired")
    func brokenText() throws {
        try connection.script("INSERT INTO t VALUES (CAST(x'61FF62' AS TEXT))")
        #expect(try connection.first("SELECT x FROM t") { $0.text(0) } == "a\u{FFFD}b")
    }

    private struct Raw: Bindable { let databaseValue: DatabaseValue }
}
