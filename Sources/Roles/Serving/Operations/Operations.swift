internal import Clock
internal import Coordinator
internal import Jobs
internal import Manifests
internal import PhotoTree
internal import Revisions
internal import WebService

/// The work behind the page: of a library's runs on this machine, or of a cluster's roles.
protocol Operations: Sendable {
    /// The figures of the last seconds and the last hour.
    var figures: ThroughputStatistics { get }

    /// Works, or follows a cluster's roles, until `stop` or until the task is cancelled.
    func work() async

    /// Ends `work` after the photos in progress.
    func stop() async

    func reading() async -> OperationsStatus

    func workers() async -> [WorkerSummary]

    /// Lets a worker finish its photos in progress and end. Throws `ServiceError` if that is impossible.
    func drain(_ worker: String) async throws

    /// All batches, the oldest first.
    func batches() async throws -> [BatchSummary]

    /// Changes a batch. The change may take effect later. Throws `ServiceError` if the batch is unknown.
    func change(_ batch: BatchID, _ action: BatchAction) async throws

    /// Jobs that failed or have a degraded photo, and those that the library refused.
    func failures(of batch: BatchID?) async throws -> [FailureSummary]

    /// Retries jobs.
    ///
    /// - Parameters:
    ///   - filter: the jobs that the ledger opens.
    ///   - tried: all failures to retry, whose files may have been repaired.
    /// - Returns: the number of opened jobs.
    func retry(_ filter: RetryFilter?, _ tried: [FailureSummary]) async throws -> Int

    /// Develops files of the library, before all waiting jobs.
    ///
    /// - Parameters:
    ///   - paths: paths below the library's folder.
    ///   - recipes: recipes whose looks and profiles are in the library.
    func develop(_ paths: [String], _ recipes: any RecipeSource) async throws

    /// Changes the library. Throws `ServiceError` if another program is its only writer.
    func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value

    func ownLooks() async throws -> [LookReference]

    // MARK: Edits

    /// The recipes with the changes. Throws `ServiceError` for a recipe that cannot be rendered.
    func apply(_ edit: any RecipeEdit, to recipes: [Recipe]) async throws -> [EditedRecipe]

    /// Finds the RAWs of edited photos, whose renditions `photos/` does not show yet.
    ///
    /// - Returns: a closure that renders the photos, and returns the failures when all have ended.
    /// - Throws: `ServiceError` if a photo cannot be developed again.
    func prepare(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [FailureSummary]
}

struct OperationsStatus: Sendable {
    /// The cause of blocked work, as a sentence.
    var problem: String?
    var notice: String?
    var open = 0
    var inFlight = 0
    var completed = 0
    var degraded = 0
    var failed = 0
    /// The number of concurrent renders.
    var slots = 0
    /// Memory of this program and its processes, in bytes.
    var memoryBytes: UInt64 = 0
    var isPaused = false
}

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
    /// Memory of the worker and its render processes; nil if unknown.
    let memoryBytes: UInt64?
    let completed: Int
    let failed: Int
    let lastHeartbeatMilliseconds: Int64
    let canDrain: Bool
}

enum BatchAction: Sendable {
    case pause, resume, cancel, retry
}

struct BatchSummary: Sendable {
    let id: BatchID
    let submittedMilliseconds: Int64
    let look: String
    /// `planning`, `running`, `paused`, `cancelled`, `refused` or `completed`.
    let state: String
    let lane: Lane
    let counts: JobCounts
    let reused: Int
    let problem: String?
    /// Names and values of the settings other than the look.
    let settings: [(name: String, value: String)]
}

/// A file that failed, was refused, or has a degraded photo.
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
    static let unknownBatch = ServiceError(
        404, "unknown-batch", "The batch does not exist.", remedy: "Load the page again.")
}
