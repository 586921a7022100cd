public import Broker
public import Clock
public import Storage
internal import Synchronization
public import Telemetry

/// A worker that outlives its connection: if the cluster is lost, or no render process can be started, it starts again
/// until `stop`.
public final class WorkerRole: Sendable {
    private struct State {
        var worker: RenderWorker?
        var isStopping = false
    }

    private let state = Mutex(State())
    private let settings: WorkerSettings
    private let transport: any Transport
    private let roots: Roots
    private let log: Logger
    private let heartbeat: Heartbeat
    private let observe: @Sendable (WorkerEvent) -> Void
    /// Rings at `stop`.
    private let stopping = WakeSignal()

    private static let pause = Duration.seconds(2)

    /// The parameters are those of ``RenderWorker``.
    public init(
        settings: WorkerSettings, transport: any Transport, roots: Roots, log: Logger,
        heartbeat: Heartbeat, observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.transport = transport
        self.roots = roots
        self.log = log
        self.heartbeat = heartbeat
        self.observe = observe
    }

    /// Works until `stop`.
    ///
    /// - Throws: errors that a restart does not cure.
    public func run() async throws {
        while let worker = try makeWorker() {
            do {
                return try await worker.run()
            } catch let error as BrokerError where error.isTransient {
                log.warning(.brokerUnavailable, [.message: "\(error)"])
            } catch WorkerError.cannotRender(let cause) {
                log.error(.storageUnavailable, [.message: "\(cause)"])
            }
            await stopping.wait(after: 0, limit: Self.pause)
        }
    }

    /// The current worker's state; nil before the first one starts.
    public var snapshot: WorkerSnapshot? { state.withLock { $0.worker }?.snapshot }

    /// Lets the worker finish its jobs and end; a second call ends it at once.
    public func stop() {
        state.withLock { state in
            state.isStopping = true
            return state.worker
        }?.stop()
        stopping.signal()
    }

    /// - Returns: nil after `stop`.
    private func makeWorker() throws -> RenderWorker? {
        let worker = try RenderWorker(
            settings: settings, transport: transport, roots: roots, log: log, heartbeat: heartbeat,
            observe: observe)
        return state.withLock { state in
            guard !state.isStopping else { return nil }
            state.worker = worker
            return worker
        }
    }
}
