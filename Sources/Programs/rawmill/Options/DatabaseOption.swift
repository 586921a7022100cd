import Arguments
import CommandLineTool
import LibraryTables
import PostgreSQL

/// `--database ADDRESS`: where to create the tables of a new library.
enum DatabaseOption {
    static let parameter: Parameter<String?> = .optional(
        "database", "ADDRESS", environment: "RAWMILL_DATABASE",
        help: """
            Create a new library's tables in PostgreSQL: postgresql://USER@HOST/DATABASE. The library remembers it. \
            Passwords are read from PGPASSFILE or ~/.pgpass. (default: a SQLite file)
            """)

    /// Creates the tables of a new library at the option's address. An existing library must have its tables there.
    ///
    /// - Throws: `CommandFailure` for an invalid address, which is not repeated because it may contain a password;
    ///   `LibraryError`.
    static func apply(_ values: ArgumentValues, to folder: String) throws {
        guard let text = values[parameter] else { return }
        try LibraryServer.choose(try address(text, of: "--database"), for: folder)
    }

    /// Like `apply`, for a role, which waits out a server that is unreachable or has no free connection.
    ///
    /// - Returns: false if `apply` must be tried again later.
    /// - Throws: the errors of `apply` that waiting cannot resolve.
    static func isApplied(_ values: ArgumentValues, to folder: String) throws -> Bool {
        do {
            try apply(values, to: folder)
            return true
        } catch let error as LibraryError where error.isPassing {
            return false
        }
    }

    static func address(_ text: String, of option: String) throws -> ServerAddress {
        do { return try ServerAddress(text) } catch { throw CommandFailure("\(option): \(error)") }
    }
}
