import Arguments
import CommandLineTool
import Library
import PostgreSQL

/// `--database ADDRESS`: where the tables of a new library are made.
enum DatabaseOption {
    static let parameter: Parameter<String?> = .optional(
        "database", "ADDRESS", environment: "RAWMILL_DATABASE",
        help: """
            Create a new library's tables in PostgreSQL: postgresql://USER@HOST/DATABASE. The library remembers it. \
            Passwords are read from PGPASSFILE or ~/.pgpass. (default: a SQLite file)
            """)

    /// Makes the tables of a new library where the option says. A library that is there must have its tables there.
    ///
    /// - Throws: `CommandFailure` for what is no address, which may have a password in it and is not repeated; `LibraryError`.
    static func apply(_ values: ArgumentValues, to folder: String) throws {
        guard let text = values[parameter] else { return }
        try LibraryServer.choose(try address(text, of: "--database"), for: folder)
    }

    /// As `apply`, for a role, which waits for what passes: a server out of reach, or without a connection to spare.
    ///
    /// - Returns: false where a server has to be waited for, and `apply` is to be tried again.
    /// - Throws: as `apply`, what waiting does not cure.
    static func isApplied(_ values: ArgumentValues, to folder: String) throws -> Bool {
        do {
            try apply(values, to: folder)
            return true
        } catch let error as LibraryError where error.isPassing {
            return false
        }
    }

    /// - Parameter option: for the error.
    static func address(_ text: String, of option: String) throws -> ServerAddress {
        do { return try ServerAddress(text) } catch { throw CommandFailure("\(option): \(error)") }
    }
}
