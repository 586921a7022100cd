internal import Concurrency
internal import Glibc
public import Render

/// How a worker works.
public struct WorkerSettings: Sendable {
    /// Names this worker among others; the same after a restart, if it can be.
    public var name: String
    /// Jobs rendered at once, each in a process of its own.
    public var slots: Int
    public var render: RenderSettings
    /// The program that has the render process as a subcommand.
    public var program = RenderProgram.best
    /// Whether render processes may write to this process's standard error.
    public var keepsRenderErrors = false

    /// Longest time a job may take: this, and as much again for every `deadlineBytes` of its RAW.
    public var deadline: Duration = .seconds(120)
    public var deadlineBytes: UInt64 = 128 << 20
    /// Most memory a render process may have resident, in bytes. By default three quarters of the machine's, shared
    /// by the slots, but at least 512 MiB and at most 4 GiB.
    public var memoryLimitBytes: UInt64

    /// Starts that may end with the worker itself; the next one is refused.
    public var starts: UInt32 = 3
    /// Further tries of a job that failed in a way that may pass.
    public var retries: UInt32 = 3
    /// Before the first further try; twice as long before each next one.
    public var retryDelay: Duration = .seconds(1)
    /// Failures one after another that pause the worker, because then the jobs are hardly at fault; nil never does.
    public var breaker: Int? = 50
    /// What to do when the storage cannot be written.
    public var withoutStorage = WithoutStorage.waitForIt
    /// Whether the status topic is followed: for what is out of date, for pauses, and for an order to drain.
    public var followsStatus = false
    /// Whether other workers may be newer: a job this one is too old for is left to them, however often it comes by.
    public var leavesNewerJobs = false
    /// Between two statuses in the workers topic; nil for none.
    public var heartbeat: Duration? = .seconds(5)

    public enum WithoutStorage: Hashable, Sendable {
        /// Take no jobs, say so, and try until it is back.
        case waitForIt
        /// Finish what is in flight and end with `WorkerError.storage`.
        case end
    }

    public init(name: String = WorkerSettings.localName, slots: Int, render: RenderSettings = RenderSettings()) {
        self.name = name
        self.slots = max(1, slots)
        self.render = render
        let share = MemoryGauge.machineBytes / 4 * 3 / UInt64(max(1, slots))
        memoryLimitBytes = min(max(share, 512 << 20), 4 << 30)
    }

    /// The machine's name.
    public static var localName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "worker" }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return text.isEmpty ? "worker" : text
    }

    func deadline(rawBytes: UInt64) -> Duration {
        deadline * (1 + Double(rawBytes) / Double(max(1, deadlineBytes)))
    }

    /// Before a job comes by again that was left to newer workers so many times.
    func passDelay(passes: Int) -> Duration { retryDelay * min(passes, Self.mostPasses) }
    private static let mostPasses = 10

    /// No try waits longer.
    var longestDelay: Duration { max(passDelay(passes: .max), delay(failures: max(retries, 1))) }

    /// Before try number `failures` + 1.
    func delay(failures: UInt32) -> Duration {
        Backoff(initial: retryDelay, max: retryDelay * (1 << 16)).delay(afterFailures: Int(failures))
    }
}
