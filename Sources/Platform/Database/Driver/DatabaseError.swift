internal import PostgreSQL

/// An error of a database.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Classification.
    public let kind: Kind
    /// What happened.
    public let message: String
    /// Path of the database, or address of its server.
    public let database: String
    /// The SQL that failed; nil if the error is not about a statement.
    public let statement: String?

    /// Classification for callers.
    public enum Kind: Hashable, Sendable {
        case diskFull, busy, corrupt, readOnly, cannotOpen
        /// The disk, or the server that has it, failed.
        case diskFailed
        case newerSchema
        /// The statement can never succeed on these tables: it violates a constraint or does not match them.
        case refused
        case unreachable
        /// The server is out of connections or memory.
        case exhausted
        case notTrusted
        /// The server rolled back the transaction because of another one. A retry may succeed.
        case conflict
        case other
    }

    /// A database with `found` migrations, of which this program knows `known`.
    public static func newerSchema(_ database: String, found: Int64, known: Int) -> DatabaseError {
        DatabaseError(
            kind: .newerSchema,
            message:
                "it was written by a newer Rawmill (schema \(found), this one knows \(known)); upgrade this Rawmill",
            database: database, statement: nil)
    }

    /// What happened, on which database, and the remedy.
    public var description: String { remedy.map { "\(account) \($0)" } ?? account }

    /// What happened, on which database.
    public var account: String { "database \(database): \(message)\(quotation)\(end)" }

    /// The start of the statement; some create all tables.
    private var quotation: String {
        guard let statement else { return "" }
        let words = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return " [\(words.count > Self.maxQuoted ? "\(words.prefix(Self.maxQuoted))…" : words)]"
    }

    private static let maxQuoted = 160

    /// The server's message may end in a question mark.
    private var end: String { statement == nil && message.hasSuffix("?") ? "" : "." }

    /// True for a server.
    public var isServers: Bool { ServerAddress.isAddress(database) }

    private var remedy: String? { isServers ? serverRemedy : fileRemedy }

    private var fileRemedy: String? {
        switch kind {
        case .diskFull: "Free some space and run the same command again."
        case .busy: "Another program holds it; wait for that one to end."
        // SQLite reports a file on a failing disk as corrupt, too.
        case .corrupt:
            """
            The file is damaged: see whether its disk is failing (dmesg), then restore the file, or remove it and run the same \
            command again.
            """
        case .diskFailed: "Check the disk, or the server that has it, and run the same command again."
        case .readOnly, .cannotOpen: "Check the folder and its permissions."
        case .refused: "Another program changed the file, or Rawmill made a mistake: please report it."
        case .newerSchema, .unreachable, .exhausted, .notTrusted, .conflict, .other: nil
        }
    }

    private var serverRemedy: String? {
        switch kind {
        case .diskFull: "Free some space on the server and run the same command again."
        case .busy: "Another Rawmill holds it; wait for that one to end."
        case .conflict: "Another transaction interfered; run the same command again."
        case .corrupt: "The server reports damage: check its log, and restore the database."
        case .readOnly: "The server or the user is read-only; give the address of the primary server."
        case .cannotOpen:
            "Check the user, its privileges on the database, and its password in ~/.pgpass or the file that PGPASSFILE names."
        case .unreachable: "Check that the server runs and can be reached from here, and run the same command again."
        case .exhausted:
            """
            The server is out of connections or memory: stop programs that use the server, or raise its limits \
            (max_connections, a user's CONNECTION LIMIT), and run the same command again.
            """
        case .notTrusted:
            """
            Give the certificate of the server's authority with ?sslmode=verify-full&sslrootcert=PATH, and use the host name in \
            the server's certificate.
            """
        case .refused: "Another program changed its tables, or Rawmill made a mistake: please report it."
        case .newerSchema, .diskFailed, .other: nil
        }
    }
}
