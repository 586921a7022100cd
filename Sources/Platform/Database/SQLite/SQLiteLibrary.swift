internal import CSQLite

/// The loaded SQLite.
public enum SQLiteLibrary {
    /// For example `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
