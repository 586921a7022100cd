internal import Concurrency
internal import Glibc
internal import Processes
public import RenderHost
public import RenderJobs

/// How a worker works.
public struct WorkerSettings: Sendable {
    /// Identifies this worker among others. It should stay the same after a restart.
    public var name: String
    /// Jobs rendered at once, each in a process of its own.
    public var slots: Int
    /// Limits of one render.
    public var render: RenderSettings
    /// The program that render processes run; it has the render process as a subcommand.
    public var program = RenderProgram.best
    /// Whether render processes may write to this process's standard error.
    public var inheritsStandardError = false

    /// Longest time a job may take. Large files get more, see `deadlineScaleBytes`.
    public var deadline: Duration = .seconds(120)
    /// A job gets another `deadline` for each time that its RAW has this size, in bytes.
    public var deadlineScaleBytes: UInt64 = 128 << 20
    /// Largest resident set of a render process, in bytes. The default is the slot's share of three quarters of the memory
    /// that this process may use, but at least 512 MiB, if there are so many, and at most 4 GiB.
    public var memoryLimitBytes: UInt64

    /// After this number of starts without an end a job is refused: it took the whole worker down each time.
    public var maxStarts: UInt32 = 6
    /// Further tries of a job after failures that may pass.
    public var maxRetries: UInt32 = 3
    /// Delay before the first further try; it doubles with each one.
    public var retryDelay: Duration = .seconds(1)
    /// This number of failures in a row pauses the worker, because the jobs are hardly at fault then; nil never does.
    public var breakerThreshold: Int? = 50
    /// What to do when the storage cannot be written.
    public var onStorageLoss = StorageLossPolicy.wait
    /// Whether to follow the coordinator's status topic: outdated records, pauses, and orders to drain.
    public var followsDirectives = false
    /// Whether other workers may be newer. A job this worker is too old for is then passed on to them, however often it
    /// comes back.
    public var passesNewerJobs = false
    /// Interval of the records in the workers topic; nil for none.
    public var heartbeatInterval: Duration? = .seconds(5)

    /// Jobs of a slot that are rendered and whose files or manifests are not durable yet, at most. The more there are, the
    /// more of them share one wait for the disk; and a worker that is killed renders them again.
    public static let openCompletionsPerSlot = 3

    /// What a worker does when it cannot write the storage.
    public enum StorageLossPolicy: Hashable, Sendable {
        /// Start no jobs, say so, and try again until it is back.
        case wait
        /// Finish what is in flight and end with `WorkerError.storage`.
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

    /// One slot for each core that this process may use, but no more than there is memory for.
    public static var defaultSlots: Int { slots(cores: Machine.cores, memoryBytes: Machine.memoryBytes) }

    /// A render process with less memory could not render a photo of 24 megapixels.
    private static let minRenderBytes: UInt64 = 512 << 20
    private static let maxRenderBytes: UInt64 = 4 << 30

    /// What the render processes may use together. The rest is for the worker and for the files that the system keeps in
    /// memory.
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

    // MARK: - Times that follow from it

    func deadline(rawBytes: UInt64) -> Duration {
        deadline * (1 + Double(rawBytes) / Double(max(1, deadlineScaleBytes)))
    }

    /// Delay before the next delivery of a job that was passed on `passes` times.
    func passDelay(passes: Int) -> Duration { retryDelay * min(passes, Self.maxPassDelayFactor) }
    private static let maxPassDelayFactor = 10

    /// Delay before the try after failure number `failures`, 1 or more.
    func delay(failures: UInt32) -> Duration {
        Backoff(initial: retryDelay, max: retryDelay * (1 << 16)).delay(afterFailures: Int(failures))
    }

    /// No try waits longer.
    var maxDelay: Duration { max(passDelay(passes: .max), delay(failures: max(maxRetries, 1))) }
}
