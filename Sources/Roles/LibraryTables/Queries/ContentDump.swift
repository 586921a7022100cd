internal import Database

/// A library's content as text: two libraries are equal if their lines are.
public struct ContentDump {
    private let database: LibraryDatabase

    init(_ database: LibraryDatabase) { self.database = database }

    /// Calls `body` with a line for each row, in an order that depends on the content alone. Leaves out bookkeeping.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
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

    /// Numbers of assets depend on the order in which they came.
    private static func value(_ column: Substring) -> String {
        column == "asset" ? AssetNumbers.hash() : String(column)
    }
}
