/// How PostgreSQL indexes paths. Its b-trees hold values of up to 2,700 bytes, but a path can have 4,096. Indexes
/// therefore hold the start of a path, for ordering, and the hash of longer paths. `ServerDialect` rewrites statements,
/// which name only columns and values, to use such an index.
public enum IndexedPath {
    /// All columns with paths in Rawmill's tables.
    static let names: Set<Substring> = ["path", "raw", "original_path"]

    /// The index columns for a path: unique, and in path order except among paths with the same first 1,000 bytes.
    public static func key(_ column: some StringProtocol) -> String {
        "\(beginning(column)), (CASE WHEN length(\(column)) > 1000 THEN sha256(\(column)) ELSE '' END)"
    }

    /// The first index column for a path.
    public static func beginning(_ column: some StringProtocol) -> String { "substr(\(column), 1, 1000)" }
}
