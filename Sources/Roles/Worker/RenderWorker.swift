public import Broker
public import Clock
public import Jobs
internal import Manifests
internal import RenderHost
internal import Sandbox
public import Storage
public import Telemetry

/// A worker: it takes jobs from the broker, renders them, and publishes their manifests. It stores no data.
///
/// A job takes these steps: (1) its start is counted durably; (2) a render process writes its files, which are named
/// when they are durable, together with those of other jobs; (3) the broker acknowledges its manifest or its retry; (4)
/// the delivery is finished; (5) after the commit the count is removed. A worker that dies in between leaves a delivery
/// that can safely be repeated.
///
/// The worker's state is in ``SharedWorkerState``. ``WorkerSession`` runs the parts that pull jobs, render them,
/// complete their deliveries, and watch the storage and the coordinator's directives.
public final class RenderWorker: Sendable {
    private let context: WorkerContext
    private let transport: any Transport
    private let library: Root
    private let identity: StorageIdentity
    private let prefetcher: SourcePrefetcher
    private let slots: [RenderSlot]

    /// - Parameters:
    ///   - roots: must contain the library's folder under `RootName.library`.
    ///   - observe: called soon after each event, from several threads; must not block.
    /// - Throws: `WorkerError.noLibrary`, `WorkerError.noThread`.
    public convenience init(
        settings: WorkerSettings, transport: any Transport, roots: Roots, log: Logger = .silent,
        heartbeat: Heartbeat = Heartbeat(), observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) throws(WorkerError) {
        guard let library = roots[RootName.library.text] else { throw .noLibrary }
        try self.init(
            pool: RenderProcessPool(settings, library: library.path), transport: transport, roots: roots, log: log,
            heartbeat: heartbeat, observe: observe)
    }

    /// - Parameters:
    ///   - pool: not shared with other workers.
    ///   - expectedLook: the look that the first jobs will probably need.
    /// - Throws: `WorkerError.noLibrary`.
    public init(
        pool: RenderProcessPool, transport: any Transport, roots: Roots, expectedLook: LookReference? = nil,
        log: Logger = .silent, heartbeat: Heartbeat = Heartbeat(),
        observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) throws(WorkerError) {
        guard let library = roots[RootName.library.text] else { throw .noLibrary }
        self.library = library
        identity = StorageIdentity(roots)
        prefetcher = SourcePrefetcher(roots, pool.settings)
        self.transport = transport
        slots = pool.slots
        let log = log.with([.worker: "\(pool.settings.name)"])
        let coldSlots = Set(slots.filter { !$0.isWarmInAdvance }.map(\.number))
        let state = SharedWorkerState(pool.settings, coldSlots: coldSlots) { Self.report($0, log, observe) }
        context = WorkerContext(
            settings: pool.settings, state: state, log: log, observe: observe, heartbeat: heartbeat)
        let paths = roots.names.compactMap { name in
            RootName(name).flatMap { key in roots[name].map { (key, $0.path) } }
        }
        let options = RenderProcessOptions(
            settings: pool.settings.render, memoryLimitBytes: pool.settings.memoryLimitBytes,
            expectedLook: expectedLook)
        let setup = RenderSetup(options: options, roots: Dictionary(uniqueKeysWithValues: paths))
        for slot in slots { slot.use(setup) }
    }

    /// Trusts the roots as they are now: a root that changes its identity later was unmounted. For a worker beside its
    /// coordinator, which sees the same folders.
    public func expectRootsAsTheyAre() { identity.expectRootsAsTheyAre() }

    // MARK: - Running

    /// Starts to warm the render processes, for callers with other work to do before `run`, which waits for them.
    public func prewarm() {
        // `run` retries a failed start and reports the reason.
        for slot in slots where slot.isWarmInAdvance { Task { try? await slot.warm() } }
    }

    /// Works until it is stopped or cannot continue. Cancelling the task stops it at once.
    ///
    /// - Throws: `WorkerError`, or the broker's permanent error. Deliveries in flight are repeated.
    public func run() async throws {
        try await withTaskCancellationHandler {
            try await work()
        } onCancel: {
            stop()
            stop()
        }
    }

    /// Warms the processes before the worker joins its groups, so that a job starts as soon as it is delivered.
    private func work() async throws {
        if let complaint = SandboxFeatures.available.complaint {
            context.log.warning(.sandboxIncomplete, [.message: "\(complaint)"])
        }
        try await warmAll()
        let session = try await join()
        await session.prepare()
        context.log.info(.workerStarted, [.count: .init(slots.count)])
        context.observe(.ready(slots: slots.count))
        let served = await Self.result { try await session.serve() }
        await session.leave()
        context.log.info(.workerEnded)
        try served.get()
        if case .storage(let failure) = context.state.withState({ $0.faults.pause }),
            context.settings.onStorageLoss == .end
        {
            throw WorkerError.storage(failure)
        }
    }

    private func warmAll() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in slots where slot.isWarmInAdvance {
                group.addTask {
                    do throws(HostedProcessError) {
                        try await slot.warm()
                    } catch {
                        throw WorkerError.cannotRender(error.description)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// `stop` interrupts the wait for a cluster that does not respond.
    private func join() async throws -> WorkerSession {
        let signal = context.state.phaseSignal
        let signalCount = signal.signalCount
        // Also interrupts a worker that was stopped before.
        let seen = context.state.isWorking ? signalCount : 0
        return try await signal.interrupting(after: seen) {
            [context, transport, library, identity, slots, prefetcher] in
            try await WorkerSession.join(
                context, transport: transport, library: library, identity: identity, slots: slots,
                prefetcher: prefetcher)
        }
    }

    private static func result(of body: () async throws -> Void) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }

    // MARK: - Control

    /// The first call lets the jobs in flight finish, then `run` returns; the second kills them.
    public func stop() {
        context.state.change { $0.stop() }
        guard context.state.isAborting else { return }
        for slot in slots { slot.abort() }
    }

    /// Starts no further jobs until `resume`.
    public func pause() { context.state.change { $0.requestPause() } }

    /// Continues after `pause`, or after too many failures in a row.
    public func resume() { context.state.change { $0.resume() } }

    /// The worker's current jobs and state.
    public var snapshot: WorkerSnapshot {
        let memory = RenderMemory(slots.map { $0.residentBytes ?? 0 }, limit: context.settings.memoryLimitBytes)
        return context.state.withState { WorkerSnapshot($0, memory) }
    }

    private static func report(
        _ pause: WorkerPause?, _ log: Logger, _ observe: @Sendable (WorkerEvent) -> Void
    ) {
        switch pause {
        case nil: log.info(.workerResumed)
        case .requested: log.info(.workerPaused)
        case .failures(let count, let last):
            log.error(.workerPaused, [.count: .init(count), .message: "\(last.message)"])
        case .storage(let failure): log.error(.storageUnavailable, [.message: "\(failure.message)"])
        }
        observe(pause.map { .paused($0) } ?? .resumed)
    }
}
