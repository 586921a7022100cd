/// The current row of a query; it is lent to a closure and cannot leave it. Columns count from 0.
public struct Row: ~Copyable {
    private let statement: any DriverStatement

    init(of statement: any DriverStatement) { self.statement = statement }

    /// True if the column is NULL.
    public func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

    /// The column as an integer; 0 for NULL.
    public func integer(_ column: Int32) -> Int64 { statement.integer(column) }

    /// The column as a floating-point number; 0 for NULL.
    public func real(_ column: Int32) -> Double { statement.real(column) }

    /// The column as text; empty for NULL. Invalid UTF-8 is repaired.
    public func text(_ column: Int32) -> String { statement.text(column) }

    /// The column as bytes; empty for NULL.
    public func blob(_ column: Int32) -> [UInt8] { statement.blob(column) }
}
