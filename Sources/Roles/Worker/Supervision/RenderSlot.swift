internal import Glibc
internal import Jobs
internal import Manifests
internal import Processes
internal import Records
internal import RenderHost
internal import Synchronization
internal import Concurrency

/// How a render process got on with a job.
enum SlotOutcome: Hashable, Sendable {
    case replied(RenderReply)
    case timedOut(Duration)
    case outOfMemory(residentBytes: UInt64)
    case died(ProcessEnd)
    /// It was killed on request.
    case aborted
    /// No process could be started.
    case noProcess(String)
}

/// One render process at a time, and the thread that waits for it: the kernel ends a render process with the thread that
/// started it, so that this one lives as long. The process that failed a job is replaced.
actor RenderSlot {
    nonisolated let number: Int
    private nonisolated let executor: ThreadExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let start: SlotStart
    private nonisolated let options = Mutex<RenderProcessOptions?>(nil)
    private var loading: LoadingChild?
    private var child: WarmChild?
    private nonisolated let killer = ChildProcess.Killer()
    private nonisolated let isAborted = AbortFlag()

    init(number: Int, start: SlotStart) throws(WorkerError) {
        self.number = number
        self.start = start
        guard let executor = ThreadExecutor(ifPossible: "render-slot") else { throw .noThread }
        self.executor = executor
    }

    /// How its processes are to render, from the next one that gets warm on; needed by the first.
    nonisolated func use(_ options: RenderProcessOptions) { self.options.withLock { $0 = options } }

    /// Starts a process if there is none, and does not wait for it. Answers why there is none.
    @discardableResult
    func load() -> String? {
        if child != nil || loading != nil { return nil }
        if isAborted.isSet { return "the worker is ending" }
        var problem = ""
        loading = LoadingChild(start, killer, problem: &problem)
        return loading == nil ? problem : nil
    }

    /// Starts a process if there is none, and returns when it is warm; else says why there is none.
    func warm() -> String? {
        if child != nil { return nil }
        if let problem = load() { return problem }
        guard let loaded = loading.take(), let options = options.withLock({ $0 }) else { return "it has no options" }
        var problem = ""
        child = WarmChild(loaded, options, patience: start.patience, problem: &problem)
        return child == nil ? problem : nil
    }

    /// Renders one job. Whatever happens, it returns by the deadline, more or less a tenth of a second.
    ///
    /// - Parameter threads: how many may share the work; 0 for as many as the process was started with.
    func render(_ job: Job, deadline: Duration, threads: Int = 0) -> SlotOutcome {
        if let problem = warm() { return isAborted.isSet ? .aborted : .noProcess(problem) }
        guard var running = child.take(), let limit = options.withLock({ $0?.memoryLimitBytes }) else {
            return .noProcess("there is no process")
        }
        let waiting = running.render(
            RenderRequest(job: job, threads: UInt32(clamping: threads)), deadline: deadline, memoryLimitBytes: limit)
        switch waiting {
        case .replied:
            child = consume running
            return waiting
        case .died:
            let end = running.process.wait()
            return isAborted.isSet ? .aborted : .died(end)
        default:
            _ = running.process.kill()
            return isAborted.isSet ? .aborted : waiting
        }
    }

    /// Runs something that blocks on the slot's own thread.
    func blocking<Value: Sendable>(_ body: @Sendable () -> Value) -> Value { body() }

    /// Ends the process, so that the next job gets a fresh one.
    func retire() {
        loading = nil
        guard let running = child.take() else { return }
        _ = running.process.kill()
    }

    /// Kills the process now, whatever it does; no other is started.
    nonisolated func abort() {
        isAborted.set()
        killer.kill()
    }
}

/// How the render processes of a worker are started.
struct SlotStart: Sendable {
    let program: String
    /// The library's folder.
    let library: String
    let keepsErrors: Bool
    /// Longest time to get warm.
    let patience: Duration
}
