internal import PostgreSQL

/// Why a database refused something, and which one.
public struct DatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public let kind: Kind
    /// What happened, for people.
    public let message: String
    /// The database's path, or its server's address.
    public let database: String
    /// The SQL that failed; nil if the error is not about a statement.
    public let statement: String?

    /// What a program decides by.
    public enum Kind: Hashable, Sendable {
        case diskFull, busy, corrupt, readOnly, cannotOpen
        /// The disk, or the server that has it, failed.
        case diskFailed
        /// A newer Rawmill wrote the database.
        case newerSchema
        /// The statement cannot succeed on these tables, now or later: it breaks a constraint, or does not fit them.
        case refused
        /// There is no connection to the server, or it broke.
        case unreachable
        /// The server has no connection, or no memory, to give at the moment.
        case exhausted
        /// No encrypted connection to the server comes about.
        case notTrusted
        /// The server undid the transaction because of another one. The same again may succeed.
        case conflict
        case other
    }

    /// The error for a database with `found` migrations, of which this program knows `known`.
    public static func newerSchema(_ database: String, found: Int64, known: Int) -> DatabaseError {
        DatabaseError(
            kind: .newerSchema,
            message:
                "it was written by a newer Rawmill (schema \(found), this one knows \(known)); upgrade this Rawmill",
            database: database, statement: nil)
    }

    /// What happened, on which database, and what to do.
    public var description: String { remedy.map { "\(account) \($0)" } ?? account }

    /// What happened, on which database, without the remedy.
    public var account: String { "database \(database): \(message)\(quotation)\(end)" }

    /// The statement's beginning: some create all tables.
    private var quotation: String {
        guard let statement else { return "" }
        let words = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return " [\(words.count > Self.maxQuoted ? "\(words.prefix(Self.maxQuoted))…" : words)]"
    }

    private static let maxQuoted = 160

    /// The server may have asked a question.
    private var end: String { statement == nil && message.hasSuffix("?") ? "" : "." }

    /// True if the database is on a server.
    public var isServers: Bool { ServerAddress.isAddress(database) }

    private var remedy: String? { isServers ? serverRemedy : fileRemedy }

    private var fileRemedy: String? {
        switch kind {
        case .diskFull: "Free some space and run the same command again."
        case .busy: "Another program holds it; wait for that one to end."
        // SQLite says the same of a file that a failing disk cannot read.
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
        case .conflict: "Another transaction was in its way; run the same command again."
        case .corrupt: "The server found damage: look at its log, and restore the database."
        case .readOnly: "The server or the user may only read; give the address of the server that takes writes."
        case .cannotOpen:
            "Check the user, its rights on the database, and its password, which a file names: PGPASSFILE or ~/.pgpass."
        case .unreachable: "Check that the server runs and can be reached from here, and run the same command again."
        case .exhausted:
            """
            The server has no connection or no memory left for it: end programs that use the server, or raise its limits \
            (max_connections, a user's CONNECTION LIMIT), and run the same command again.
            """
        case .notTrusted:
            """
            Give the certificate of the authority that signed the server's by ?sslmode=verify-full&sslrootcert=PATH, and the host \
            by the name that the server's certificate has.
            """
        case .refused: "Another program changed its tables, or Rawmill made a mistake: please report it."
        case .newerSchema, .diskFailed, .other: nil
        }
    }
}
