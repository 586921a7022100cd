internal import Database

/// A library's content as text. Two libraries are equal if their lines are.
public struct ContentDump {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Calls `body` with a line for each row, in an order that depends on the content alone. Omits bookkeeping.
    ///
    /// - Throws: `LibraryError`; errors of `body`.
    public func eachLine(_ body: (String) throws -> Void) throws {
        for (table, columns, order) in LibrarySchema.content {
            let text = columns.split(separator: " ").map { "quote(\(Self.value($0)))" }.joined(separator: " || ' ' || ")
            let order = order.split(separator: ", ").map(Self.value).joined(separator: ", ")
            try database.perform { connection in
                try connection.each("SELECT '\(table) ' || \(text) FROM \(table) ORDER BY \(order)") { row in
                    try body(row.text(0))
                }
            }
        }
    }

    /// Numbers of assets depend on the order of arrival, so hashes replace them.
    private static func value(_ column: Substring) -> String {
        column == "asset" ? AssetNumbers.hash() : String(column)
    }
}
