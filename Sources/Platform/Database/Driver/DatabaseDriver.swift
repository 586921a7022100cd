/// What a database does for a connection. Not thread-safe: used by one thread at a time.
protocol DatabaseDriver: AnyObject {
    /// Runs statements without parameters and results.
    func script(_ sql: String) throws(DatabaseError)

    /// Compiles one statement in which `?` stands for a value.
    ///
    /// - Parameter isKept: it will run more than once.
    func prepare(_ sql: String, isKept: Bool) throws(DatabaseError) -> any DriverStatement

    /// A statement that takes many rows of values at once; nil where one after the other is as fast.
    func prepareForMany(_ sql: String) -> (any ManyRowsStatement)?

    /// Writes rows into a table in the fastest way that there is for many.
    ///
    /// - Parameter rows: each has one value for each of the columns, of its type.
    func insert(_ rows: [[DatabaseValue]], into table: String, columns: [String]) throws(DatabaseError)

    /// A statement that writes has to be in a transaction, so that it is known whether it may.
    var needsTransaction: Bool { get }

    /// Begins a transaction that writes: until its end no other does.
    func begin() throws(DatabaseError)

    /// Begins a transaction that only reads, and sees one state of the database. `rollback` ends it.
    func beginReading() throws(DatabaseError)

    /// Makes the transaction durable.
    func commit() throws(DatabaseError)

    /// Undoes the transaction, if there is one.
    func rollback()

    /// Keeps other transactions that write waiting until `giveTurn`, also between this connection's own.
    func takeTurn() throws(DatabaseError)

    /// Ends `takeTurn`.
    func giveTurn()

    /// How many migrations the database has had; 0 for a new one.
    func schemaVersion() throws(DatabaseError) -> Int64

    /// Notes how many migrations the database has had, within a transaction.
    func setSchemaVersion(_ version: Int) throws(DatabaseError)

    /// Runs a schema's migrations after the first `version` ones, within a transaction.
    func migrate(_ schema: Schema, from version: Int) throws(DatabaseError)
}

/// A compiled statement of a driver, and the row that was read last. Columns count from 0.
protocol DriverStatement: AnyObject {
    /// - Returns: false if the statement is lent already.
    func lend() -> Bool

    /// Ends a loan.
    func giveBack()

    /// Binds one value to each `?`.
    func bind(_ values: [any Bindable], _ wanted: RowsWanted) throws(DatabaseError)

    /// Goes to the next row.
    ///
    /// - Returns: false if there is none.
    func step() throws(DatabaseError) -> Bool

    /// The number of rows that the statement changed, once it has run.
    var changedRowCount: Int { get }

    func isNull(_ column: Int32) -> Bool
    func integer(_ column: Int32) -> Int64
    func real(_ column: Int32) -> Double
    func text(_ column: Int32) -> String
    func blob(_ column: Int32) -> [UInt8]
}

/// A statement that runs once for each of many rows of values.
protocol ManyRowsStatement: DriverStatement {
    /// Binds, for each run, one value to each `?`.
    func bind(many rows: [[DatabaseValue]]) throws(DatabaseError)

    /// As `bind(many:)`, of a statement that returns no rows. Within a transaction it may still run on return; its error is
    /// thrown by the driver's next call then.
    func send(many rows: [[DatabaseValue]]) throws(DatabaseError)
}

/// Which rows of a statement will be read.
enum RowsWanted {
    case first
    /// All, and they fit into memory.
    case few
    case all
}
