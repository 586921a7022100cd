/// How PostgreSQL indexes paths. Its b-trees hold values of up to 2,700 bytes, and a path can have 4,096. Indexes have a path's
/// beginning, which orders it, and the hash of a path that is longer. Statements name columns and values alone;
/// `ServerDialect` adds what finds them in such an index.
public enum IndexedPath {
    /// The columns that hold paths, in all of Rawmill's tables.
    static let names: Set<Substring> = ["path", "raw", "original_path"]

    /// An index's columns for a path: equal where the paths are, and in their order but for what paths of more than 1,000 bytes
    /// have in common.
    public static func key(_ column: some StringProtocol) -> String {
        "\(beginning(column)), (CASE WHEN length(\(column)) > 1000 THEN sha256(\(column)) ELSE '' END)"
    }

    /// The first of an index's columns for a path.
    public static func beginning(_ column: some StringProtocol) -> String { "substr(\(column), 1, 1000)" }
}
