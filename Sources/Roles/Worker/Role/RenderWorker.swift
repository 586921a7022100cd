public import Broker
internal import Clock
public import Jobs
internal import RenderHost
public import Storage
internal import Synchronization
public import Telemetry

/// A worker: takes jobs from the broker, has them rendered, and answers with manifests. It keeps nothing of its own.
///
/// Of each job, in steps: (1) its start is counted durably; (2) a render process makes its files, durably; (3) its
/// manifest, or its next try, is acknowledged by the broker; (4) the delivery is finished; (5) after the commit the
/// count is forgotten. A worker that dies anywhere in between leaves a delivery that comes again and does no harm.
public final class RenderWorker: Sendable {
    let settings: WorkerSettings
    let transport: any Transport
    let log: Logger
    let observe: @Sendable (WorkerEvent) -> Void
    let slots: [RenderSlot]
    let state: Mutex<WorkerState>
    /// Opened anew when storage comes back.
    let attemptFolder: Mutex<AttemptFolder>
    /// Rings when there may be a job to begin.
    let bell = WakeSignal()
    /// Rings when the worker pauses, goes on, or begins to end: rarely, and so it can wake many.
    let turnBell = WakeSignal()
    let isAborted = AbortFlag()
    /// Rings when deliveries were finished.
    let finishedBell = WakeSignal()
    /// What the status topic said.
    let orders = ClusterDirectives()
    /// What waits and how long it takes is measured by it: the time of day can be set.
    let clock = Stopwatch()

    /// - Parameters:
    ///   - roots: must hold the library's folder under `RootName.library`.
    ///   - observe: called from several threads, soon after what it tells of; must not block.
    public convenience init(
        settings: WorkerSettings, transport: any Transport, roots: Roots, log: Logger = .silent,
        observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) throws(WorkerError) {
        guard let library = roots[RootName.library.text] else { throw .noLibrary }
        try self.init(
            crew: RenderCrew(settings, library: library.path), transport: transport, roots: roots, log: log,
            observe: observe)
    }

    /// - Parameters:
    ///   - crew: no other worker's.
    ///   - look: what its first jobs will probably ask for.
    public init(
        crew: RenderCrew, transport: any Transport, roots: Roots, look: LookReference? = nil, log: Logger = .silent,
        observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) throws(WorkerError) {
        guard let library = roots[RootName.library.text] else { throw .noLibrary }
        settings = crew.settings
        slots = crew.slots
        self.transport = transport
        self.log = log.with([.worker: "\(settings.name)"])
        self.observe = observe
        attemptFolder = Mutex(AttemptFolder(library: library))
        state = Mutex(WorkerState(rules: settings))
        let paths = roots.names.compactMap { name in roots[name].map { (name, $0.path) } }
        var options = RenderProcessOptions(
            roots: Dictionary(uniqueKeysWithValues: paths), render: settings.render,
            memoryLimitBytes: settings.memoryLimitBytes)
        options.look = look
        for slot in slots { slot.use(options) }
    }

    /// Has the render processes get warm, for a caller with other things to do before `run`, which waits for them.
    public func beginWarming() {
        // Why one does not, `run` finds out when it tries again.
        for slot in slots { Task { await slot.warm() } }
    }

    /// Works until it is stopped, or cannot go on.
    ///
    /// - Throws: `WorkerError`, or the broker's error where trying again does not help. What was in flight then is
    ///   delivered again.
    public func run() async throws {
        try await withTaskCancellationHandler {
            try await work()
        } onCancel: {
            stop()
            stop()
        }
    }

    /// The first call lets the jobs in flight finish, then `run` returns; the second kills them.
    public func stop() {
        change { $0.stop() }
        guard state.withLock({ $0.phase == .aborting }) else { return }
        isAborted.set()
        for slot in slots { slot.abort() }
    }

    /// Takes no further jobs until `resume`.
    public func pause() { change { $0.hold() } }

    /// Goes on after `pause`, or after too many failures one after another.
    public func resume() { change { $0.resume() } }

    /// Changes the state, and tells everybody who waits for that.
    @discardableResult
    func change<Value>(_ body: (inout WorkerState) -> Value) -> Value {
        let (value, before, after) = state.withLock { state in
            let before = (pause: state.pause, phase: state.phase)
            let value = body(&state)
            return (value, before, (pause: state.pause, phase: state.phase))
        }
        if before.pause != after.pause { tell(after.pause) }
        if before.phase != after.phase { finishedBell.ring() }
        if before != after { turnBell.ring() }
        bell.ring()
        return value
    }

    private func tell(_ pause: WorkerPause?) {
        switch pause {
        case nil:
            log.info(.workerResumed)
            observe(.resumed)
            return
        case .asked: log.info(.workerPaused)
        case .failures(let count, let last):
            log.error(.workerPaused, [.count: .init(count), .message: "\(last.message)"])
        case .storage(let failure): log.error(.storageUnavailable, [.message: "\(failure.message)"])
        }
        if let pause { observe(.paused(pause)) }
    }
}
