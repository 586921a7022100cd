public import Database
internal import Jobs

/// The coordinator's ledger and outbox, `LIBRARY/.rawmill/coordinator.sqlite` or a schema on the library's server:
/// every accepted job, its source and how it ended. One thread uses it at a time; other processes may read it
/// meanwhile.
///
/// The tables' types contain all SQL and take and return values. The tasks (`intake`, `outbox`, `results`, `control`)
/// implement the rules and the transactions. `reports` only reads.
public final class LedgerStore {
    private let connection: Connection
    /// The registered roots.
    public let roots: RootsTable
    /// The versions of looks.
    public let looks: LooksTable
    /// Positions in read and sent topics.
    public let offsets: TopicOffsets
    /// Reports of batches and jobs.
    public let reports: LedgerReports
    /// Data for audits of the library.
    public let audits: LedgerAudits
    /// Operators' changes of batches.
    public let control: BatchControl
    /// Open jobs to send.
    public let outbox: Outbox
    let intake: JobIntake
    /// Ending jobs.
    public let results: ResultMerge
    /// Removals for the cataloguer.
    public let removals: RemovalsTable
    let letters: DeadLettersTable
    let orders: OrdersTable
    let leftOut: LeftOutTable
    let operatorState: OperatorTable

    /// The database's name in the library's hidden folder.
    public static let fileName = "coordinator.sqlite"

    /// - Parameters:
    ///   - mode: `.readOnly` next to a process that writes, `.readAtRest` to change nothing.
    ///   - lock: of a ledger on a server. Nothing is written once another process has it.
    /// - Throws: `LedgerError.otherVersion` for an incompatible database; `DatabaseError`.
    public init(at location: LedgerLocation, mode: ConnectionMode = .readWrite, lock: LedgerLock? = nil) throws {
        connection = try location.connection(mode: mode, lock: lock)
        if mode == .readWrite {
            try connection.migrate(LedgerSchema.schema)
        } else {
            try Self.checkVersion(connection)
        }
        let roots = RootsTable(connection)
        let recipes = RecipesTable(connection)
        let batches = BatchesTable(connection, recipes: recipes)
        let jobs = JobsTable(connection, roots: roots, recipes: recipes)
        let offsets = TopicOffsets(connection)
        let letters = DeadLettersTable(connection)
        let letterWriter = DeadLetterWriter(jobs: jobs, batches: batches, letters: letters)
        let orders = OrdersTable(connection)
        self.roots = roots
        self.offsets = offsets
        self.orders = orders
        leftOut = LeftOutTable(connection)
        self.letters = letters
        looks = LooksTable(connection)
        operatorState = OperatorTable(connection)
        intake = JobIntake(connection, recipes: recipes, batches: batches, jobs: jobs)
        outbox = Outbox(connection, batches: batches, jobs: jobs, offsets: offsets, letterWriter: letterWriter)
        removals = RemovalsTable(connection)
        results = ResultMerge(
            connection, jobs: jobs, batches: batches, offsets: offsets, removals: removals, letterWriter: letterWriter)
        control = BatchControl(connection, batches: batches, jobs: jobs)
        reports = LedgerReports(connection, roots: roots, recipes: recipes)
        audits = LedgerAudits(connection, roots: roots, recipes: recipes)
    }

    /// Stores an order in one transaction, so that its recipes are planned together. Returns an order for each new
    /// recipe.
    func keep(_ order: ConversionOrder, traceparent: String?) throws -> [ConversionOrder] {
        try connection.transaction { try orders.add(order, traceparent: traceparent) }
    }

    convenience init(path: String, mode: ConnectionMode = .readWrite) throws {
        try self.init(at: .file(path: path), mode: mode)
    }

    private static func checkVersion(_ connection: Connection) throws {
        let version = try connection.schemaVersion
        guard version == LedgerSchema.schema.version else {
            throw LedgerError.otherVersion(found: Int(version), known: LedgerSchema.schema.version)
        }
    }
}

/// Errors of the ledger.
public enum LedgerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The database was written by another version of Rawmill.
    case otherVersion(found: Int, known: Int)
    case batchCancelled
    case unknownBatch
    case closed
    case unknownRoot(String)
    /// The database contains data that Rawmill never writes.
    case damaged(String)

    /// The error with its remedy.
    public var description: String {
        switch self {
        case .otherVersion(0, _):
            "the ledger has no tables yet; run `rawmill convert` once, or start the coordinator. If one has just "
                + "started, wait for it"
        case .otherVersion(let found, let known):
            found > known
                ? "the ledger was written by a newer Rawmill (schema \(found), this one knows \(known)); upgrade this one"
                : "the ledger was written by an older Rawmill (schema \(found)); run `rawmill convert` once, or start "
                    + "the coordinator, to migrate it"
        case .batchCancelled: "the batch was cancelled and accepts no more jobs; submit the rest again"
        case .unknownBatch: "there is no such batch; `rawmill status` lists all batches"
        case .closed: "the ledger is closed"
        case .unknownRoot(let name): "the ledger has no root \(name)"
        case .damaged(let what): "the ledger contains \(what); restore it from a backup"
        }
    }
}
