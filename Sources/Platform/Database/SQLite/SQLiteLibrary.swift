internal import CSQLite

/// The SQLite that is loaded.
public enum SQLiteLibrary {
    /// Such as `3.40.1`.
    public static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
