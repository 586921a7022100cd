import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

@Suite("A library on a PostgreSQL server", .needs(.postgreSQL))
struct ServerLibraryTests {
    private let workspace: Workspace
    private let address: String

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3)
        address = try PostgreSQLServer.shared.get().addressText()
    }

    private func run(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(arguments + ["--library", workspace.library.path])
    }

    @Test("is made by one option, and every command finds it from then on")
    func whole() throws {
        #expect(try workspace.convert("--database", address).status == 0)
        #expect(!FileManager.default.fileExists(atPath: workspace.library.appending(path: "library.sqlite").path))
        #expect(try run("library", "list").lines.count == 3)
        // It continues with and without the option.
        #expect(try workspace.convert("--look", "mono").status == 0)
        #expect(try workspace.convert("--database", address).status == 0)
        #expect(try run("library", "list", "--where", "look = 'mono' and width > 1", "--json").events.count == 3)
        let audit = try run("audit", "--json")
        #expect(audit.status == 0, "\(audit.output) \(audit.errors)")
        #expect(try run("library", "verify").status == 0)
        #expect(try run("album", "create", "best").status == 0)
        #expect(try run("album", "add", "best", "--where", "look = 'mono'").output == "added 3 photographs\n")
        #expect(try run("library", "rebuild").status == 0)
        #expect(try run("library", "list", "--where", "album = 'best'", "--count").output == "6\n")
        #expect(try run("library", "remove", "photos/raw/sample-0001.mono.jpg", "--yes").status == 0)
        #expect(try run("library", "list", "--count").output == "5\n")
    }

    @Test("moves back into its folder, and to the server again")
    func migrated() throws {
        #expect(try workspace.convert().status == 0)
        let there = try run("library", "migrate", "--to", address)
        #expect(there.status == 0 && there.output.contains("library.sqlite.old"), "\(there.errors)")
        #expect(try run("audit").status == 0)
        let again = try run("library", "migrate", "--to", address)
        #expect(again.status == 70 && again.errors.contains("on a server already"))
        #expect(try run("library", "migrate", "--to", "file", "--json").events.first?["rows"] as? Int ?? 0 > 9)
        #expect(try run("library", "list").lines.count == 3)
        #expect(try workspace.convert("--look", "mono").status == 0)
        let secret = try run("library", "migrate", "--to", "postgresql://me:sesame@host/db")
        #expect(secret.status == 64 && !secret.errors.contains("sesame"))
    }

    @Test("is not created by an address with a password, which is never printed, nor if a library exists")
    func refusals() throws {
        let secret = try workspace.convert("--database", "postgresql://me:sesame@localhost/rawmill")
        #expect(secret.status == 64 && secret.errors.contains("PGPASSFILE"))
        #expect(!secret.errors.contains("sesame"))
        #expect(try workspace.convert("--database", "postgresql:///rawmill?host=/nowhere").status == 70)
        #expect(try workspace.convert().status == 0)
        let other = try workspace.convert("--database", address)
        #expect(other.status == 70 && other.errors.contains("its tables are in library.sqlite"))
    }
}
