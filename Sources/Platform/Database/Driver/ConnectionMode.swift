/// What a connection is opened for.
public enum ConnectionMode: Sendable {
    /// Reads and writes; creates the database if there is none.
    case readWrite
    /// Reads a database that other connections may write. Works in a folder that cannot be written too: SQLite needs
    /// files beside a database with a write-ahead log, so that such a database is read at rest, or from a copy
    /// if its log holds anything.
    case readOnly
    /// Reads a database that no process writes, and creates no file beside it, such as a write-ahead log's.
    case readAtRest
    /// A private database for what does not fit in memory; its path is empty. SQLite puts it into `$TMPDIR` or
    /// `/var/tmp` once it outgrows the page cache, and removes it when it is closed. It has no journal: a failed
    /// transaction leaves it damaged.
    case temporary
}
