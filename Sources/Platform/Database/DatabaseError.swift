internal import CSQLite

/// Why SQLite refused something, and on which database.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code.
    public let code: Int32
    /// What happened, for people.
    public let message: String
    /// The database's path.
    public let database: String
    /// The SQL that failed; nil if the error is not about a statement.
    public let statement: String?

    /// What a program decides by.
    public enum Kind: Hashable, Sendable {
        case diskFull, busy, corrupt, readOnly, cannotOpen
        /// A newer Rawmill wrote the database.
        case newerSchema
        /// The statement cannot succeed on these tables, now or later: it breaks a constraint, or does not fit them.
        case refused
        case other
    }

    /// The kind of the error.
    public var kind: Kind {
        switch code & 0xFF {
        case SQLITE_FULL: .diskFull
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_CORRUPT, SQLITE_NOTADB: .corrupt
        case SQLITE_READONLY: .readOnly
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_SCHEMA where statement == nil: .newerSchema
        case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_ERROR, SQLITE_INTERNAL, SQLITE_MISUSE, SQLITE_RANGE,
            SQLITE_TOOBIG, SQLITE_SCHEMA, SQLITE_AUTH, SQLITE_FORMAT, SQLITE_NOTFOUND:
            .refused
        default: .other
        }
    }

    /// The error for a database with `found` migrations, of which this program knows `known`.
    public static func newerSchema(_ database: String, found: Int64, known: Int) -> DatabaseError {
        DatabaseError(
            code: SQLITE_SCHEMA,
            message:
                "it was written by a newer Rawmill (schema \(found), this one knows \(known)); upgrade this Rawmill",
            database: database, statement: nil)
    }

    /// What happened, on which database, and what to do.
    public var description: String {
        switch kind {
        case .diskFull: "\(account) Free some space and run the same command again."
        case .busy: "\(account) Another program holds it; wait for that one to end."
        case .corrupt: "\(account) The file is damaged: restore it, or remove it and run the same command again."
        case .readOnly, .cannotOpen: "\(account) Check the folder and its permissions."
        case .refused: "\(account) Another program changed the file, or Rawmill made a mistake: please report it."
        case .newerSchema, .other: account
        }
    }

    /// What happened, on which database, without the remedy.
    public var account: String { "database \(database): \(message)\(statement.map { " [\($0)]" } ?? "")." }
}
