import Database
import ExternalTools
import Foundation
import Testing

/// A process died within a transaction that changes the file itself, like the one that gives a new database its log.
@Suite("A database with an interrupted transaction") struct CutOffTests {
    private let database: TemporaryDatabase

    /// Copies file and journal from under a transaction whose changes are partly in the file.
    init() throws {
        database = try TemporaryDatabase()
        let living = database.folder + "/living.sqlite"
        let connection = try Connection(path: living)
        try connection.script(
            """
            PRAGMA journal_mode=DELETE; PRAGMA cache_size=1; CREATE TABLE t (x, y);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                INSERT INTO t SELECT i, zeroblob(2000) FROM n;
            """)
        try connection.transaction {
            try connection.run("UPDATE t SET x = -1, y = zeroblob(1999)")
            for ending in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: living + ending, toPath: database.path + ending)
            }
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: database.path + "-journal")).count > 100_000)
    }

    @Test("is read in its previous state")
    func read() throws {
        let reader = try database.open(.readOnly)
        #expect(try reader.first("SELECT sum(x), count(*) FROM t") { $0.integer(0) } == 125_250)
        #expect(!FileManager.default.fileExists(atPath: database.path + "-journal"))
    }

    @Test("is read in its previous state on a read-only disk, and stays unchanged", .needs(.mounting))
    func readOnlyFolder() throws {
        let disk = try SmallDisk(bytes: 8 << 20)
        for ending in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: database.path + ending, toPath: disk.path + "/x.sqlite" + ending)
        }
        disk.makeReadOnly()
        let reader = try Connection(path: disk.path + "/x.sqlite", mode: .readOnly)
        #expect(try reader.first("SELECT sum(x), count(*) FROM t") { $0.integer(0) } == 125_250)
    }
}
