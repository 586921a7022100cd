internal import Digest

/// Copies all tables between two databases, at least one of which is a SQLite file, and verifies the copy.
public enum DatabaseCopy {
    /// Replaces the rows of all tables. Triggers do not fire, because the counts that they maintain are copied too.
    ///
    /// - Parameters:
    ///   - source: must not change meanwhile.
    ///   - target: has the same tables.
    ///   - onRows: called with a table's name and the number of rows copied since the last call.
    /// - Throws: `DatabaseError`, `InexactCopy`, and the errors of `onRows`.
    public static func copyAll(
        from source: Connection, to target: Connection, onRows: (_ table: String, _ count: Int) throws -> Void
    ) throws {
        let triggers = try target.isServers ? [] : Trigger.all(in: target)
        for trigger in triggers { try target.script("DROP TRIGGER \(trigger.name)") }
        for table in try TableCopy.all(in: source.isServers ? target : source) {
            try table.copy(from: source, to: target) { try onRows(table.name, $0) }
            // Updates the planner's statistics and the visibility map, which index-only scans need. Autovacuum would
            // take a minute.
            if target.isServers { try target.script("VACUUM (ANALYZE) \(table.name)") }
            let (before, after) = (try table.digest(source), try table.digest(target))
            guard before == after else {
                throw InexactCopy(table: table.name, rowsBefore: before.count, rowsAfter: after.count)
            }
        }
        for trigger in triggers { try target.script(trigger.sql) }
    }

    /// Copies a snapshot of a database to a new file, while others may write to the source. The copy keeps the source's
    /// schema version.
    ///
    /// - Parameters:
    ///   - schema: the newest that this program knows.
    ///   - path: of a new file. No log remains beside it on return.
    ///   - onRows: called with the number of rows copied since the last call.
    /// - Throws: a `DatabaseError` of kind `newerSchema` if the database has more steps than the schema; `InexactCopy`;
    ///   the errors of `onRows`.
    public static func write(
        _ source: Connection, as schema: Schema, toFile path: String, onRows: (Int) throws -> Void
    ) throws {
        try source.snapshot {
            let version = Int(try source.schemaVersion)
            guard version <= schema.version else {
                throw DatabaseError.newerSchema(source.path, found: Int64(version), known: schema.version)
            }
            let file = try Connection(path: path)
            try file.migrate(schema.upTo(version))
            try copyAll(from: source, to: file) { try onRows($1) }
            try file.becomeOneFile()
        }
    }

    private struct Trigger {
        let name: String
        let sql: String

        static func all(in file: Connection) throws -> [Trigger] {
            try file.all("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'") { row in
                Trigger(name: row.text(0), sql: row.text(1))
            }
        }
    }
}

extension Connection {
    /// Moves the log's contents into the database file. Throws `DatabaseError`.
    public func emptyLog() throws { try each("PRAGMA wal_checkpoint(TRUNCATE)") { _ in } }

    /// Removes the log, so that the file can be moved or copied. Throws `DatabaseError`.
    public func becomeOneFile() throws {
        try emptyLog()
        try script("PRAGMA journal_mode=DELETE")
    }
}

/// A table whose copy differs.
public struct InexactCopy: Error, Hashable, Sendable, CustomStringConvertible {
    /// The table's name.
    public let table: String
    /// Rows in the source.
    public let rowsBefore: Int
    /// Rows in the copy.
    public let rowsAfter: Int

    /// Follows a colon; no full stop.
    public var description: String {
        "the table \(table) could not be copied exactly (\(rowsBefore) rows became \(rowsAfter), or a text has a character "
            + "that PostgreSQL cannot hold). Nothing was changed. Please report it"
    }
}

/// A table as SQLite describes it, with access to its rows in either kind of database.
struct TableCopy {
    private enum Kind: String {
        case blob = "BLOB"
        case integer = "INTEGER"
        case real = "REAL"
        case text = "TEXT"
    }

    let name: String
    private let columns: [(name: String, kind: Kind)]
    private let order: String
    private let liesAnyhow: Bool

    /// All tables in order of creation, so that referenced rows come first. Throws `DatabaseError`.
    static func all(in file: Connection) throws -> [TableCopy] {
        let names = try file.all(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY rowid"
        ) { $0.text(0) }
        return try names.map { try TableCopy($0, in: file) }
    }

    private init(_ name: String, in file: Connection) throws {
        self.name = name
        let found = try file.all("PRAGMA table_info(\(name))") { row in
            (name: row.text(1), kind: Kind(rawValue: row.text(2)) ?? .text, key: row.integer(5))
        }
        columns = found.map { ($0.name, $0.kind) }
        let key = found.filter { $0.key > 0 }.sorted { $0.key < $1.key }.map(\.name)
        // The only table without a primary key has its unique column first.
        liesAnyhow = key.isEmpty
        order = (key.isEmpty ? found.prefix(1).map(\.name) : key).joined(separator: ", ")
    }

    private var list: String { columns.map(\.name).joined(separator: ", ") }

    /// The column with generated row numbers, if any.
    var number: String? {
        columns.first.flatMap { $0.kind == .integer && order == $0.name ? $0.name : nil }
    }

    private func each(
        _ connection: Connection, by order: String?, _ body: ([DatabaseValue]) throws -> Void
    ) throws {
        try connection.each("SELECT \(list) FROM \(name)\(order.map { " ORDER BY \($0)" } ?? "")") { row in
            var values: [DatabaseValue] = []
            for (index, column) in columns.enumerated() {
                let index = Int32(index)
                if row.isNull(index) {
                    values.append(.null)
                } else {
                    switch column.kind {
                    case .blob: values.append(.blob(row.blob(index)))
                    case .integer: values.append(.integer(row.integer(index)))
                    case .real: values.append(.real(row.real(index)))
                    case .text: values.append(.text(row.text(index)))
                    }
                }
            }
            try body(values)
        }
    }

    /// Rows in memory, and rows per transaction of a file.
    private static let pageSize = 5000

    /// Replaces the target's rows with the source's, on a server in one transaction. Calls `onRows` with the number of
    /// rows copied since the last call.
    func copy(from source: Connection, to target: Connection, onRows: (Int) throws -> Void) throws {
        guard target.isServers else {
            return try fill(target, from: source, onRows) { page in try target.transaction { try write(page, target) } }
        }
        try target.transaction {
            try target.script("ALTER TABLE \(name) DISABLE TRIGGER USER")
            try fill(target, from: source, onRows) { page in try write(page, target) }
            try target.script("ALTER TABLE \(name) ENABLE TRIGGER USER")
            if let number {
                try target.each(
                    """
                    SELECT setval(pg_get_serial_sequence('\(name)', '\(number)'), max(\(number))) FROM \(name)
                    HAVING max(\(number)) IS NOT NULL
                    """
                ) { _ in }
            }
        }
    }

    private func fill(
        _ target: Connection, from source: Connection, _ onRows: (Int) throws -> Void,
        write: ([[DatabaseValue]]) throws -> Void
    ) throws {
        try target.run("DELETE FROM \(name)")
        let indexes = try TableIndexes(of: name, in: target)
        try indexes.drop(on: target)
        var page: [[DatabaseValue]] = []
        func writePage() throws {
            try write(page)
            try onRows(page.count)
            page.removeAll(keepingCapacity: true)
        }
        // Without a key, keeps the source's order: rows inserted together are read together.
        try each(source, by: liesAnyhow ? nil : order) { row in
            page.append(row)
            if page.count == Self.pageSize { try writePage() }
        }
        if !page.isEmpty { try writePage() }
        try indexes.create(on: target)
    }

    private func write(_ rows: [[DatabaseValue]], _ target: Connection) throws {
        try target.insert(rows, into: name, columns: columns.map(\.name))
    }

    /// Number of rows, and SHA-256 of all values in key order.
    func digest(_ connection: Connection) throws -> (count: Int, digest: SHA256Value) {
        var hasher = SHA256Hasher()
        var bytes: [UInt8] = []
        var count = 0
        try each(connection, by: order) { row in
            count += 1
            for value in row { Self.append(value, to: &bytes) }
            if bytes.count >= Self.hashedAtOnce {
                hasher.update(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        hasher.update(bytes)
        return (count, hasher.finish())
    }

    private static let hashedAtOnce = 1 << 16

    /// Kind, length and bytes of the value.
    private static func append(_ value: DatabaseValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(0)
        case .integer(let number): append(1, UInt64(bitPattern: number), to: &bytes)
        case .real(let number): append(2, number.bitPattern, to: &bytes)
        case .text(let text):
            append(3, UInt64(text.utf8.count), to: &bytes)
            bytes += text.utf8
        case .blob(let blob):
            append(4, UInt64(blob.count), to: &bytes)
            bytes += blob
        }
    }

    private static func append(_ kind: UInt8, _ number: UInt64, to bytes: inout [UInt8]) {
        bytes.append(kind)
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
}
