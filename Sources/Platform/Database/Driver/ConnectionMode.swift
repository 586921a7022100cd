/// How a connection uses its database.
public enum ConnectionMode: Sendable {
    /// Reads and writes; creates the database if it is missing.
    case readWrite
    /// Reads a database that other connections may write. Also works in a read-only folder, where SQLite cannot create
    /// the files that a write-ahead log needs: reads the database at rest, or a copy if its log is not empty.
    case readOnly
    /// Reads a database that no process writes, without creating files beside it, such as a write-ahead log.
    case readAtRest
    /// A private database for data that does not fit into memory; its path is empty. SQLite stores it in `$TMPDIR` or
    /// `/var/tmp` once it outgrows the page cache, and deletes it on closing. It has no journal: a failed transaction
    /// leaves it corrupt.
    case temporary
}
