/// Drops a table's secondary indexes, and on a server its foreign keys, during a bulk insert and recreates them
/// afterwards: sorting all rows once is much faster than inserting each into an index, and foreign keys are checked
/// together.
struct TableIndexes {
    private let statements: [(drop: String, create: String)]

    init(of table: String, in connection: Connection) throws {
        let sql = connection.isServers ? Self.onServer(table) : Self.inFile(table)
        statements = try connection.all(sql) { (drop: $0.text(0), create: $0.text(1)) }
    }

    func drop(on connection: Connection) throws {
        for statement in statements { try connection.script(statement.drop) }
    }

    func create(on connection: Connection) throws {
        if connection.isServers { try connection.script("SET LOCAL maintenance_work_mem TO '256MB'") }
        for statement in statements { try connection.script(statement.create) }
    }

    private static func inFile(_ table: String) -> String {
        """
        SELECT 'DROP INDEX ' || name, sql FROM sqlite_master
        WHERE type = 'index' AND tbl_name = '\(table)' AND sql IS NOT NULL ORDER BY rowid
        """
    }

    private static func onServer(_ table: String) -> String {
        """
        SELECT 'ALTER TABLE \(table) DROP CONSTRAINT ' || conname,
            'ALTER TABLE \(table) ADD CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid), oid
        FROM pg_constraint WHERE conrelid = '\(table)'::regclass AND contype = 'f'
        UNION ALL SELECT 'DROP INDEX ' || indexrelid::regclass, pg_get_indexdef(indexrelid), indexrelid FROM pg_index
        WHERE indrelid = '\(table)'::regclass
            AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
        ORDER BY 3
        """
    }
}
