import Broker
import Clock
import Storage
import Synchronization
import Telemetry
import Worker

/// A worker that outlives its connection. If the cluster is lost or no render process can start, it restarts until it
/// is stopped.
final class WorkerRole: Sendable {
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

    init(
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

    /// Throws errors that a restart cannot resolve.
    func run() async throws {
        while let worker = try makeWorker() {
            do {
                return try await worker.run()
            } catch let error as BrokerError where error.isTransient {
                log.warning(.brokerUnavailable, [.message: "\(error)"])
            } catch WorkerError.cannotRender(let cause) {
                log.error(.storageUnavailable, [.message: "\(cause)"])
            }
            await pause()
        }
    }

    /// The current worker's jobs; nil before there is one.
    var snapshot: WorkerSnapshot? { state.withLock { $0.worker }?.snapshot }

    /// Asks the worker to finish its jobs in progress; a second call ends it at once.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            return state.worker
        }?.stop()
    }

    /// Nil if the role should end.
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

    private func pause() async {
        for _ in 0..<20 where !state.withLock({ $0.isStopping }) { try? await Task.sleep(for: .milliseconds(100)) }
    }
}
