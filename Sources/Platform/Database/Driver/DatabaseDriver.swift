/// A database engine. Not thread-safe.
protocol DatabaseDriver: AnyObject {
    func script(_ sql: String) throws(DatabaseError)

    /// Compiles a statement with `?` placeholders.
    ///
    /// - Parameter isKept: whether it will run more than once.
    func prepare(_ sql: String, isKept: Bool) throws(DatabaseError) -> any DriverStatement

    /// A statement that takes many rows of values at once; nil if that is not faster.
    func prepareForMany(_ sql: String) -> (any ManyRowsStatement)?

    /// Inserts many rows in the fastest way.
    ///
    /// - Parameter rows: one value per column, of the column's type.
    func insert(_ rows: [[DatabaseValue]], into table: String, columns: [String]) throws(DatabaseError)

    /// True if a write must be in a transaction, which checks the lock first.
    var needsTransaction: Bool { get }

    /// Begins a writing transaction, excluding all others.
    func begin() throws(DatabaseError)

    /// Begins a read-only transaction on one state of the database. `rollback` ends it.
    func beginReading() throws(DatabaseError)

    func commit() throws(DatabaseError)

    /// Rolls back the transaction, if there is one.
    func rollback()

    /// Blocks other writing transactions until `giveTurn`, also between this connection's own.
    func takeTurn() throws(DatabaseError)

    func giveTurn()

    /// Number of migrations applied; 0 for a new database.
    func schemaVersion() throws(DatabaseError) -> Int64

    func setSchemaVersion(_ version: Int) throws(DatabaseError)

    /// Runs a schema's migrations after the first `version`, within a transaction.
    func migrate(_ schema: Schema, from version: Int) throws(DatabaseError)
}

/// A compiled statement with its current row. Columns count from 0.
protocol DriverStatement: AnyObject {
    /// - Returns: false if the statement is already lent.
    func lend() -> Bool

    func giveBack()

    func bind(_ values: [any Bindable], _ wanted: RowsWanted) throws(DatabaseError)

    /// Moves to the next row. Returns false at the end.
    func step() throws(DatabaseError) -> Bool

    var changedRowCount: Int { get }

    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    func text(_ column: Int32) -> String
    func blob(_ column: Int32) -> [UInt8]
}

protocol ManyRowsStatement: DriverStatement {
    /// Binds, for each run, one value per `?`.
    func bind(many rows: [[DatabaseValue]]) throws(DatabaseError)

    /// Like `bind(many:)`, for a statement that returns no rows. Within a transaction it may still be running on
    /// return; the driver's next call then throws its error.
    func send(many rows: [[DatabaseValue]]) throws(DatabaseError)
}

enum RowsWanted {
    case first
    /// All; they fit into memory.
    case few
    case all
}
