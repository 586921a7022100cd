import Database
import Foundation
import SeededRandom
import Testing

@Suite("A database that cannot be used")
struct RefusalTests {
    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    @Test("A database that another writer holds is busy")
    func busy() throws {
        let one = try database.open()
        try one.script("CREATE TABLE t (x)")
        let other = try database.open()
        try other.script("PRAGMA busy_timeout = 20")
        try one.transaction {
            try one.run("INSERT INTO t VALUES (1)")
            #expect(refusal { try other.transaction {} } == .busy)
        }
        try other.transaction { _ = try other.run("INSERT INTO t VALUES (2)") }
    }

    @Test("A full disk is reported, nothing is lost, and writing works again when there is space")
    func full() throws {
        let connection = try database.open()
        try connection.script("CREATE TABLE t (x); INSERT INTO t VALUES ('kept'); PRAGMA max_page_count = 10;")
        let large = [UInt8](repeating: 1, count: 10_000)
        do {
            try connection.transaction {
                for _ in 0..<20 { try connection.run("INSERT INTO t VALUES (?)", large) }
            }
            #expect(Bool(false), "200 kB went into 10 pages")
        } catch let error as DatabaseError {
            #expect(error.kind == .diskFull)
            #expect(error.description.contains("Free some space"))
        }
        #expect(try connection.all("SELECT x FROM t") { $0.text(0) } == ["kept"])
        try connection.script("PRAGMA max_page_count = 1000000")
        try connection.transaction { _ = try connection.run("INSERT INTO t VALUES (?)", large) }
    }

    @Test("A file that is not a database, or is truncated, is damaged")
    func damaged() throws {
        try database.write([UInt8](repeating: 0x5A, count: 5000))
        #expect(refusal { _ = try database.open() } == .corrupt)
        try database.write("SQLite format 3\0".utf8)
        #expect(refusal { try database.open().script("CREATE TABLE t (x)") } == .corrupt)
    }

    @Test("A folder in the place of a database is refused")
    func folder() throws {
        let path = database.folder + "/folder.sqlite"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let error = #expect(throws: DatabaseError.self) { _ = try Connection(path: path) }
        #expect(error?.kind == .cannotOpen && error?.message == "it is not a regular file")
    }

    @Test("A database that cannot be opened is named by its path")
    func unopened() throws {
        do {
            _ = try Connection(path: database.folder + "/none/test.sqlite")
            #expect(Bool(false), "it was opened")
        } catch {
            #expect(error.kind == .cannotOpen)
            #expect(error.description.contains("/none/test.sqlite") && error.description.contains("Check the folder"))
            #expect(error.message == "its folder does not exist or cannot be entered")
        }
        #expect(refusal { _ = try database.open(.readOnly) } == .cannotOpen)
        #expect(refusal { _ = try Connection(path: database.folder) } == .cannotOpen)
    }

    @Test("A wrong statement is quoted in the error")
    func wrongStatement() throws {
        let connection = try database.open()
        do {
            try connection.run("SELEKT 1")
            #expect(Bool(false), "it ran")
        } catch {
            #expect(error.kind == .refused && error.statement == "SELEKT 1")
            #expect(error.description.contains("[SELEKT 1]"))
        }
    }

    @Test("The error for a long statement quotes its beginning, in one line")
    func longStatement() throws {
        let connection = try database.open()
        let tables = (0..<100).map { "CREATE TABLE t\($0) (x);\n" }.joined()
        let error = #expect(throws: DatabaseError.self) { try connection.script(tables + "SELEKT 1") }
        #expect(error?.description.contains("[CREATE TABLE t0 (x); CREATE TABLE t1 (x);") == true)
        #expect(error.map { $0.description.count < 500 && !$0.description.contains("\n") } == true)
    }

    @Test("Damaged pages cause errors, not traps")
    func damagedPages() throws {
        do {
            let connection = try database.open()
            try connection.script("CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT, z BLOB); CREATE INDEX i ON t (y)")
            for number in 0..<400 {
                try connection.run("INSERT INTO t VALUES (?, ?, ?)", number, "text \(number)", [UInt8](0..<200))
            }
        }
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: database.path)))
        var random = SeededGenerator()
        print("damaged databases: seed \(random.seed)")
        var (rows, errors) = (0, 0)
        for _ in 0..<100 {
            var damaged = whole
            for _ in 0..<30 {
                damaged[Int.random(in: 20..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            try database.write(damaged.prefix(Int.random(in: 512...whole.count, using: &random)))
            do {
                let connection = try database.open()
                try connection.each("SELECT x, y, z FROM t") {
                    _ = ($0.integer(0), $0.text(1), $0.blob(2))
                    rows += 1
                }
                _ = try connection.run("INSERT INTO t VALUES (1000, 'new', NULL)")
                _ = try connection.run("DELETE FROM t WHERE y > 'text 2'")
            } catch { errors += 1 }
        }
        #expect(rows > 0 && errors > 0, "\(rows) rows, \(errors) errors")
        try database.write(whole[...])
        var sound = 0
        try database.open().each("SELECT x FROM t") { _ in sound += 1 }
        #expect(sound == 400)
    }
}
