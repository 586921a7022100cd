import Database
import Testing

@Suite("Migrations")
struct MigrationTests {
    private let database: TemporaryDatabase
    private let first = Migration("CREATE TABLE a (x); INSERT INTO a VALUES (1);")
    private let second = Migration("ALTER TABLE a ADD COLUMN y DEFAULT 5;")

    init() throws { database = try TemporaryDatabase() }

    private func version(_ connection: Connection) throws -> Int64? {
        try connection.first("PRAGMA user_version") { $0.integer(0) }
    }

    @Test("Each migration is done once")
    func steps() throws {
        let connection = try database.open()
        try connection.migrate([])
        #expect(try version(connection) == 0)
        try connection.migrate([first])
        try connection.migrate([first])
        #expect(try version(connection) == 1)
        let again = try database.open()
        try again.migrate([first, second])
        #expect(try version(again) == 2)
        #expect(try again.all("SELECT x, y FROM a") { [$0.integer(0), $0.integer(1)] } == [[1, 5]])
    }

    @Test("A migration that fails leaves nothing behind")
    func failing() throws {
        let connection = try database.open()
        let broken = Migration("CREATE TABLE b (x); INSERT INTO nowhere VALUES (1);")
        #expect(refusal { try connection.migrate([first, broken]) } == .refused)
        #expect(try version(connection) == 0)
        for table in ["a", "b"] { #expect(refusal { try connection.script("SELECT * FROM \(table)") } == .refused) }
        try connection.migrate([first, second])
        #expect(try version(connection) == 2)
    }

    @Test("A new database gets its tables and its first rows together, once")
    func filled() throws {
        let connection = try database.open()
        struct Interrupted: Error {}
        #expect(throws: Interrupted.self) { try connection.migrate([first]) { throw Interrupted() } }
        #expect(try version(connection) == 0)
        for _ in 0..<2 { try connection.migrate([first]) { try connection.run("INSERT INTO a VALUES (?)", 2) } }
        #expect(try connection.all("SELECT x FROM a") { $0.integer(0) } == [1, 2])
    }

    @Test("Connections that open a new database at the same time migrate it once")
    func together() async throws {
        for round in 0..<20 {
            let path = "\(database.folder)/together-\(round).sqlite"
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask { try Connection(path: path, mode: .readWrite).migrate([first, second]) }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("A database with more migrations is refused, with the advice to upgrade")
    func newer() throws {
        let connection = try database.open()
        try connection.migrate([first, second])
        do {
            try connection.migrate([first])
            #expect(Bool(false), "a newer schema was accepted")
        } catch let error as DatabaseError {
            #expect(error.kind == .newerSchema)
            #expect(error.description.contains(database.path))
            #expect(error.description.contains("schema 2, this one knows 1") && error.description.contains("upgrade"))
        }
    }
}
