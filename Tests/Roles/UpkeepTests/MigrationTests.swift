import Albums
import Campaigns
import Database
import ExternalTools
import Foundation
import LibraryFixtures
import LibraryTables
import PhotoTree
import PostgreSQL
import PostgreSQLServer
import Storage
import Testing
import Upkeep

@Suite("Moving a library's tables", .needs(.postgreSQL))
struct MigrationTests {
    private let fixture: LibraryFixture
    private let address: ServerAddress

    init() throws {
        fixture = try LibraryFixture(on: .file)
        address = try PostgreSQLServer.shared.get().address()
        try fixture.merge(try fixture.variedManifests(sources: try fixture.root("archive")))
        let albums = try LibraryStore(folder: fixture.libraryPath, mode: .write).albums
        try albums.create("best")
        _ = try Campaigns(library: fixture.libraryPath)
    }

    private func names() throws -> [String] {
        try LibraryStore(folder: fixture.libraryPath, mode: .read).albums.all().map(\.name)
    }

    private func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(fixture.libraryPath)/\(name)")
    }

    @Test("A library moves to a server and back, with all its rows, and works in both places")
    func bothWays() throws {
        let content = try fixture.content()
        var counts: [Int] = []
        let there = try LibraryMigration(library: fixture.libraryPath, to: address).run { counts.append($0) }
        #expect(there.rows["renditions"] ?? 0 > 5 && counts.last == there.rows.values.reduce(0, +))
        #expect(!exists("library.sqlite") && exists("library.sqlite.old"))
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("on the server")
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("better")
        }
        #expect(try names() == ["best", "better"])

        let back = try LibraryMigration(library: fixture.libraryPath, to: nil).run()
        #expect(back.rows["albums"] == 2 && back.rows["renditions"] == there.rows["renditions"])
        #expect(exists("library.sqlite") && !exists("library.database"))
        #expect(try fixture.content() == content)
        try fixture.expectConsistency("back again")
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            try store.albums.create("other")
        }
        #expect(try names() == ["best", "better", "other"])
    }

    @Test("On a server, rows keep their order, are visible to all, and are counted")
    func rowsLieAsTheyCame() throws {
        let key = { (row: borrowing Row) in row.blob(0) }
        let keys = try fixture.connection().all("SELECT key FROM renditions ORDER BY rowid", make: key)
        _ = try LibraryMigration(library: fixture.libraryPath, to: address).run()
        let server = try fixture.connection()
        #expect(try server.all("SELECT key FROM renditions ORDER BY ctid", make: key) == keys)
        let counts = try server.all(
            """
            SELECT reltuples::bigint, relpages, relallvisible FROM pg_class
            WHERE relname = 'renditions' AND relnamespace = current_schema()::regnamespace
            """
        ) { [$0.integer(0), $0.integer(1), $0.integer(2)] }
        #expect(counts.first?.first == Int64(keys.count) && counts.first?[1] == counts.first?[2])
    }

    @Test("An interrupted migration changes nothing, and can be repeated")
    func cutOff() throws {
        struct Interrupted: Error {}
        let content = try fixture.content()
        var left = 4
        #expect(throws: Interrupted.self) {
            try LibraryMigration(library: fixture.libraryPath, to: address).run { _ in
                left -= 1
                if left == 0 { throw Interrupted() }
            }
        }
        #expect(exists("library.sqlite") && !exists("library.database"))
        #expect(try fixture.content() == content)
        _ = try LibraryMigration(library: fixture.libraryPath, to: address).run()
        #expect(try fixture.content() == content)
    }

    @Test("Values that PostgreSQL cannot hold exactly are found by the comparison, and the library stays where it is")
    func inexact() throws {
        try fixture.connection().script("UPDATE renditions SET degraded = 'a' || char(0) || 'b'")
        let error = #expect(throws: LibraryError.self) {
            try LibraryMigration(library: fixture.libraryPath, to: address).run()
        }
        #expect(error?.description.contains("the table renditions could not be copied exactly") == true)
        #expect(exists("library.sqlite") && !exists("library.database"))
    }

    @Test("It is refused while the library is written, if the tables already exist, and over another library's")
    func refusals() throws {
        do {
            let store = try LibraryStore(folder: fixture.libraryPath, mode: .write)
            let error = #expect(throws: LibraryError.self) {
                _ = try LibraryMigration(library: fixture.libraryPath, to: address)
            }
            #expect(error?.kind == .busy)
            withExtendedLifetime(store) {}
        }
        #expect(throws: LibraryError.self) { _ = try LibraryMigration(library: fixture.libraryPath, to: nil) }
        // A copy of the folder has the same identity.
        let copy = try LibraryFixture(on: .file)
        try FileManager.default.copyItem(atPath: fixture.libraryPath, toPath: copy.libraryPath)
        _ = try LibraryMigration(library: fixture.libraryPath, to: address).run()
        let error = #expect(throws: LibraryError.self) {
            try LibraryMigration(library: copy.libraryPath, to: address).run()
        }
        #expect(error?.description.contains("a folder that this is a copy of") == true)
        #expect(try LibraryStore(folder: copy.libraryPath, mode: .read).counts().renditions > 5)
    }

    @Test("Both back ends have the same tables, and the same columns in the same order")
    func sameTables() throws {
        let file = try fixture.connection()
        let tables = try file.all(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' ORDER BY name"
        ) { $0.text(0) }
        let inFile = try tables.flatMap { table in
            try file.all("SELECT name, \"notnull\" OR pk > 0 FROM pragma_table_info(?) ORDER BY cid", table) { row in
                "\(table) \(row.text(0)) \(row.integer(1))"
            }
        }
        let server = try LibraryFixture(on: .server)
        let onServer = try server.connection().all(
            """
            SELECT table_name::text, column_name::text, is_nullable::text = 'NO' FROM information_schema.columns
            WHERE table_schema = current_schema() AND table_name <> 'schema_version'
            ORDER BY table_name::text COLLATE "C", ordinal_position
            """
        ) { row in "\(row.text(0)) \(row.text(1)) \(row.integer(2))" }
        #expect(onServer == inFile)
    }
}
