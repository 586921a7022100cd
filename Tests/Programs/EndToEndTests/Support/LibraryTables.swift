import ExternalTools
import Foundation
import PostgreSQLServer
import Testing

/// Location of a library's tables.
enum LibraryTables: String, CaseIterable, CustomTestStringConvertible {
    case file, server

    /// Both if PostgreSQL is installed.
    static let tested: [LibraryTables] = Requirement.postgreSQLFolder != nil ? allCases : [.file]
    var testDescription: String { rawValue }

    /// Converts a workspace's RAWs into its library.
    func convert(_ workspace: Workspace) throws {
        let options = self == .server ? ["--database", try PostgreSQLServer.shared.get().addressText()] : []
        let ended = try Rawmill.run(
            ["convert", workspace.raw.path, "--library", workspace.library.path] + options)
        try #require(ended.status == 0, "\(ended.errors)")
    }
}
