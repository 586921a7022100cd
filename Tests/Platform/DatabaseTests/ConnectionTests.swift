import Database
import Testing

@Suite("A connection to a file")
struct ConnectionTests {
    private let database: TemporaryDatabase

    init() throws { database = try TemporaryDatabase() }

    @Test("It uses a write-ahead log, and syncs every commit")
    func pragmas() throws {
        let connection = try database.open()
        #expect(try connection.first("PRAGMA journal_mode") { $0.text(0) } == "wal")
        #expect(try connection.first("PRAGMA synchronous") { $0.integer(0) } == 2)
        #expect(try connection.first("PRAGMA foreign_keys") { $0.integer(0) } == 1)
    }
}
