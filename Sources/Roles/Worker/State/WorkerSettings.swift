internal import Concurrency
internal import Glibc
internal import Processes
public import RenderHost
public import RenderJobs

/// Settings of a worker.
public struct WorkerSettings: Sendable {
    /// Identifies this worker among others. It should stay the same after a restart.
    public var name: String
    /// Number of jobs rendered at the same time, each in a separate process.
    public var slots: Int
    /// Limits of one render.
    public var render: RenderSettings
    /// Program of the render processes, which has a subcommand for them.
    public var program = RenderProgram.best
    /// Whether render processes may write to this process's standard error.
    public var inheritsStandardError = false

    /// Longest time for a job. Large files get more; see `deadlineScaleBytes`.
    public var deadline: Duration = .seconds(120)
    /// A job gets another `deadline` per this many bytes of its RAW.
    public var deadlineScaleBytes: UInt64 = 128 << 20
    /// Largest resident set of a render process, in bytes. The default is the slot's share of three quarters of the
    /// memory that this process may use, at least 512 MiB if available, and at most 4 GiB.
    public var memoryLimitBytes: UInt64

    /// Number of starts without an end after which a job is refused: it took the whole worker down each time.
    public var maxStarts: UInt32 = 6
    /// Maximum number of retries after temporary failures.
    public var maxRetries: UInt32 = 3
    /// Delay before the first retry; it doubles with each one.
    public var retryDelay: Duration = .seconds(1)
    /// Number of failures in a row that pauses the worker, because the jobs are then unlikely to be at fault; nil for
    /// never.
    public var breakerThreshold: Int? = 50
    /// What to do when the storage cannot be written.
    public var onStorageLoss = StorageLossPolicy.wait
    /// Whether to follow the coordinator's status topic: out-of-date records, pauses, and orders to drain.
    public var followsDirectives = false
    /// Whether other workers may be newer. A job that this worker is too old for is then passed to them, however often
    /// it comes back.
    public var passesNewerJobs = false
    /// Interval of the records in the workers topic; nil for none.
    public var heartbeatInterval: Duration? = .seconds(5)

    /// Maximum number of a slot's rendered jobs whose files or manifests are not durable yet. A higher number shares
    /// one wait for the disk among more jobs, but a killed worker renders them all again.
    public static let openCompletionsPerSlot = 3

    /// What a worker does when it cannot write the storage.
    public enum StorageLossPolicy: Hashable, Sendable {
        /// Start no jobs, report it, and retry until the storage is back.
        case wait
        /// Finish the jobs in flight and end with `WorkerError.storage`.
        case end
    }

    /// - Parameters:
    ///   - name: should be unique in a cluster.
    ///   - slots: 1 or more.
    public init(name: String = WorkerSettings.hostName, slots: Int, render: RenderSettings = RenderSettings()) {
        self.name = name
        self.slots = max(1, slots)
        self.render = render
        memoryLimitBytes = Self.memoryLimit(slots: max(1, slots), memoryBytes: Machine.memoryBytes)
    }

    // MARK: - What the machine allows

    /// One slot per usable core, limited by memory.
    public static var defaultSlots: Int { slots(cores: Machine.cores, memoryBytes: Machine.memoryBytes) }

    /// Minimum for rendering a photo of 24 megapixels.
    private static let minRenderBytes: UInt64 = 512 << 20
    private static let maxRenderBytes: UInt64 = 4 << 30

    /// Memory of all render processes together. The rest is for the worker and the page cache.
    private static func renderBytes(of memoryBytes: UInt64) -> UInt64 { memoryBytes / 4 * 3 }

    static func slots(cores: Int, memoryBytes: UInt64) -> Int {
        max(1, min(cores, Int(clamping: renderBytes(of: memoryBytes) / minRenderBytes)))
    }

    static func memoryLimit(slots: Int, memoryBytes: UInt64) -> UInt64 {
        let all = renderBytes(of: memoryBytes)
        return min(max(all / UInt64(slots), minRenderBytes), maxRenderBytes, all)
    }

    /// The machine's name, gethostname(2); `worker` if it has none.
    public static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&name, name.count - 1) == 0 else { return "worker" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? "worker" : text
    }

    // MARK: Derived times

    func deadline(rawBytes: UInt64) -> Duration {
        deadline * (1 + Double(rawBytes) / Double(max(1, deadlineScaleBytes)))
    }

    func passDelay(passes: Int) -> Duration { retryDelay * min(passes, Self.maxPassDelayFactor) }
    private static let maxPassDelayFactor = 10

    func delay(failures: UInt32) -> Duration {
        Backoff(initial: retryDelay, max: retryDelay * (1 << 16)).delay(afterFailures: Int(failures))
    }

    var maxDelay: Duration { max(passDelay(passes: .max), delay(failures: max(maxRetries, 1))) }
}
