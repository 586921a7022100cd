internal import Clock
internal import Coordinator
internal import Jobs
internal import Library
internal import Manifests
internal import WebService

/// What does the work behind the page: the runs of a library on this machine, or the roles of a cluster.
protocol Operations: Sendable {
    /// The last seconds and the last hour.
    var figures: ThroughputStatistics { get }

    /// Works, or follows those who do, until `stop` or until the task is cancelled.
    func work() async

    /// Ends `work` when what is in hand is done.
    func stop() async

    /// How things stand now.
    func reading() async -> OperationsStatus

    /// Who renders.
    func workers() async -> [WorkerSummary]

    /// Lets a worker finish what it renders, and end.
    ///
    /// - Throws: `ServiceError` where that cannot be asked for.
    func drain(_ worker: String) async throws

    /// All batches that are known, the oldest first.
    func batches() async throws -> [BatchSummary]

    /// Asks for something to be done with a batch. It may not be done yet when this returns.
    ///
    /// - Throws: `ServiceError` if the batch is unknown.
    func change(_ batch: BatchID, _ action: BatchAction) async throws

    /// Jobs that ended without a good photo, and those that the library refused.
    func failures(of batch: BatchID?) async throws -> [FailureSummary]

    /// Tries jobs again.
    ///
    /// - Parameters:
    ///   - filter: those that the ledger is to open.
    ///   - tried: all that a person wants tried again, whose files may have been mended.
    /// - Returns: how many were opened.
    func retry(_ filter: RetryFilter?, _ tried: [FailureSummary]) async throws -> Int

    /// Has files of the library developed before all that waits.
    ///
    /// - Parameters:
    ///   - paths: below the library's folder.
    ///   - recipes: how; what is needed for them is in the library.
    func develop(_ paths: [String], _ recipes: any RecipeSource) async throws

    /// Changes the library, where this program may.
    ///
    /// - Throws: `ServiceError` where another program is its one writer.
    func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value

    /// Looks that were given as files or chains before.
    func ownLooks() async throws -> [LookReference]

    // MARK: Edits

    /// The recipes with the changes.
    ///
    /// - Throws: `ServiceError` for a recipe that cannot be rendered.
    func apply(_ edit: any RecipeEdit, to recipes: [Recipe]) async throws -> [EditedRecipe]

    /// Looks for the RAWs of photos that are to be developed again without that `photos/` shows the results.
    ///
    /// - Returns: renders the photos when it is called, and returns when all have ended, with those that failed.
    /// - Throws: `ServiceError` where a photo cannot be developed again.
    func prepare(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [FailureSummary]
}

/// How things stand.
struct OperationsStatus: Sendable {
    /// Why nothing is done, as a sentence; nil where nothing is wrong.
    var problem: String?
    /// A sentence that a person should read.
    var notice: String?
    /// Jobs without an end.
    var open = 0
    /// Jobs that are being rendered.
    var inFlight = 0
    var completed = 0
    var degraded = 0
    var failed = 0
    /// Photos that can be rendered at once.
    var slots = 0
    /// Of this program and what it started, in bytes.
    var memoryBytes: UInt64 = 0
    /// True while somebody has paused everything.
    var isPaused = false
}

/// A program that renders.
struct WorkerSummary: Sendable {
    struct Slot: Sendable {
        var job: JobID?
        var file: String?
        var seconds: Double?
    }

    let name: String
    let node: String
    let version: String
    /// `working`, `idle`, `paused`, `draining` or `gone`.
    let state: String
    let message: String?
    let slots: [Slot]
    /// Of the worker and its render processes; nil where it is not told.
    let memoryBytes: UInt64?
    let completed: Int
    let failed: Int
    let lastHeartbeatMilliseconds: Int64
    let canDrain: Bool
}

/// What somebody wants of a batch.
enum BatchAction: Sendable {
    case pause, resume, cancel, retry
}

/// A batch with its ledger.
struct BatchSummary: Sendable {
    let id: BatchID
    let submittedMilliseconds: Int64
    let look: String
    /// `planning`, `running`, `paused`, `cancelled`, `refused` or `completed`.
    let state: String
    let lane: Lane
    let counts: JobCounts
    let reused: Int
    /// Why it was refused.
    let problem: String?
    /// Names and values of what decided the pixels, but for the look.
    let settings: [(name: String, value: String)]
}

/// A file that failed, was refused, or has a photo that is not to be trusted.
struct FailureSummary: Sendable {
    /// A reason, `refused` or `degraded`.
    let group: String
    let job: JobID
    let batch: BatchID
    let file: FileReference
    let message: String
    let attempts: Int
    let signal: Int32?
    let isRetryable: Bool
}

extension ServiceError {
    /// A request names a batch that is not there.
    static let unknownBatch = ServiceError(
        404, "unknown-batch", "There is no such batch.", remedy: "Load the page again.")
}
