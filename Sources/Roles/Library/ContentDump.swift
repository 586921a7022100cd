internal import Database

extension LibraryStore {
    /// Hands out the library's content as text, one row a line, in an order that depends on the content alone: two
    /// libraries are equal when their lines are. Bookkeeping (offsets, clocks, notes of work to finish) is left out.
    public func eachContentLine(_ body: (String) throws -> Void) throws {
        try LibraryError.naming(folder) {
            for (table, columns, order) in Schema.content {
                let text = columns.split(separator: " ").map { "quote(\($0))" }.joined(separator: " || ' ' || ")
                try connection.each("SELECT '\(table) ' || \(text) FROM \(table) ORDER BY \(order)") { row in
                    try body(row.text(0))
                }
            }
        }
    }
}
