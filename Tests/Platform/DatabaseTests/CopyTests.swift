import Database
import ExternalTools
import PostgreSQLServer
import SeededRandom
import Testing

@Suite("A copy of all tables", .needs(.postgreSQL))
struct CopyTests {
    private static let tables = """
        CREATE TABLE looks (id IDENTITY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE photos (hash BLOB NOT NULL, look INTEGER NOT NULL REFERENCES looks(id), words TEXT, rating INTEGER);
        CREATE UNIQUE INDEX photo_hashes ON photos(hash);
        CREATE INDEX photos_by_word ON photos(lower(words), hash);
        CREATE INDEX rated_photos ON photos(rating) WHERE rating <> 0
        """

    private func file() throws -> (TemporaryDatabase, Connection) {
        let place = try TemporaryDatabase()
        return (place, try EmptyDatabase.file(place).open(Self.tables))
    }

    private func server() throws -> Connection {
        let server = try PostgreSQLServer.shared.get()
        return try EmptyDatabase.server(server, schema: server.newSchema()).open(Self.tables)
    }

    /// Indexes and references, as described by the database.
    private func rules(_ connection: Connection) throws -> [String] {
        try connection.all(
            connection.isServers
                ? """
                SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema() UNION ALL
                SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
                ORDER BY 1
                """ : "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
        ) { $0.text(0) }
    }

    private func photos(_ connection: Connection) throws -> [[DatabaseValue]] {
        try connection.all("SELECT hash, look, words, rating FROM photos ORDER BY hash") { row in
            [
                .blob(row.blob(0)), .integer(row.integer(1)), row.isNull(2) ? .null : .text(row.text(2)),
                row.isNull(3) ? .null : .integer(row.integer(3)),
            ]
        }
    }

    @Test("has the same rows, indexes and references, in both directions")
    func roundTrip() throws {
        var random = SeededGenerator()
        print("copies: seed \(random.seed)")
        let (place, file) = try file()
        defer { withExtendedLifetime(place) {} }
        try file.transaction {
            for number in 1...3 { try file.run("INSERT INTO looks VALUES (?, ?)", number * 7, "look \(number)") }
            let rows: [[DatabaseValue]] = (0..<12_000).map { number in
                [
                    .blob([UInt8](repeating: 1, count: number % 40) + Array("\(number)".utf8)),
                    .integer(Int64.random(in: 1...3, using: &random) * 7),
                    number % 3 == 0 ? .null : .text(["", "Ä\n\t", "\\.", "日本"].randomElement(using: &random) ?? ""),
                    number % 5 == 0 ? .null : .integer(Int64.random(in: -1...5, using: &random)),
                ]
            }
            try file.insert(rows, into: "photos", columns: ["hash", "look", "words", "rating"])
        }
        let server = try server()
        try server.run("INSERT INTO looks (name) VALUES (?)", "one that goes")
        let (rulesBefore, rulesOfFile) = (try rules(server), try rules(file))
        var counts: [String: Int] = [:]
        try DatabaseCopy.copyAll(from: file, to: server) { counts[$0, default: 0] += $1 }
        #expect(counts == ["looks": 3, "photos": 12_000])
        #expect(try photos(server) == photos(file))
        #expect(try rules(server) == rulesBefore)
        #expect(["lower(words)", "FOREIGN KEY"].allSatisfy { rule in rulesBefore.contains { $0.contains(rule) } })
        #expect(try server.insert("INSERT INTO looks (name) VALUES (?)", "another") == 22)

        let (backPlace, back) = try self.file()
        defer { withExtendedLifetime(backPlace) {} }
        try DatabaseCopy.copyAll(from: server, to: back) { _, _ in }
        #expect(try photos(back) == photos(file))
        #expect(try rules(back) == rulesOfFile)
        #expect(try back.first("SELECT count(*) FROM looks") { $0.integer(0) } == 4)
    }

    @Test("names the table whose rows violate a rule, and leaves the server's unchanged")
    func broken() throws {
        let (place, file) = try file()
        defer { withExtendedLifetime(place) {} }
        try file.script("PRAGMA foreign_keys=OFF; INSERT INTO photos VALUES (x'01', 5, NULL, NULL)")
        let server = try server()
        let before = try rules(server)
        let error = #expect(throws: DatabaseError.self) {
            try DatabaseCopy.copyAll(from: file, to: server) { _, _ in }
        }
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("photos") == true)
        #expect(try photos(server).isEmpty)
        #expect(try rules(server) == before)
    }

    @Test("is reported as different if a text contains characters that a server cannot store")
    func inexact() throws {
        let (place, file) = try file()
        defer { withExtendedLifetime(place) {} }
        try file.run("INSERT INTO looks VALUES (1, ?)", "a\0b")
        #expect(throws: InexactCopy.self) {
            try DatabaseCopy.copyAll(from: file, to: server()) { _, _ in }
        }
    }
}
