/// The current row of a query, which cannot escape its closure. Columns count from 0.
public struct Row: ~Copyable {
    private let statement: any DriverStatement

    init(of statement: any DriverStatement) { self.statement = statement }

    /// True for NULL.
    public func isNull(_ column: Int32) -> Bool { statement.isNull(column) }

    /// The integer; 0 for NULL.
    public func integer(_ column: Int32) -> Int64 { statement.integer(column) }

    /// The floating-point number; 0 for NULL.
    public func real(_ column: Int32) -> Double { statement.real(column) }

    /// The text; empty for NULL. Invalid UTF-8 is repaired.
    public func text(_ column: Int32) -> String { statement.text(column) }

    /// The bytes; empty for NULL.
    public func blob(_ column: Int32) -> [UInt8] { statement.blob(column) }
}
