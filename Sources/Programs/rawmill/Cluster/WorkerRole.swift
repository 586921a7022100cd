import Broker
import Storage
import Synchronization
import Telemetry
import Worker

/// A worker that outlives its connection: where the cluster was lost, or no render process could be started, it begins
/// anew until it is told to end.
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
    private let observe: @Sendable (WorkerEvent) -> Void

    init(
        settings: WorkerSettings, transport: any Transport, roots: Roots, log: Logger,
        observe: @escaping @Sendable (WorkerEvent) -> Void = { _ in }
    ) {
        self.settings = settings
        self.transport = transport
        self.roots = roots
        self.log = log
        self.observe = observe
    }

    /// - Throws: what beginning anew does not cure.
    func run() async throws {
        while let worker = try begin() {
            do {
                return try await worker.run()
            } catch let error as BrokerError where error.isPassing {
                log.warning(.brokerUnavailable, [.message: "\(error)"])
            } catch WorkerError.cannotRender(let why) {
                log.error(.storageUnavailable, [.message: "\(why)"])
            }
            await rest()
        }
    }

    /// What the worker of this moment has in hand; nil before there is one.
    var standing: WorkerSnapshot? { state.withLock { $0.worker }?.standing }

    /// The first call lets what is in flight finish.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            return state.worker
        }?.stop()
    }

    /// Nil where the worker is to end.
    private func begin() throws -> RenderWorker? {
        let worker = try RenderWorker(
            settings: settings, transport: transport, roots: roots, log: log, observe: observe)
        return state.withLock { state in
            guard !state.isStopping else { return nil }
            state.worker = worker
            return worker
        }
    }

    private func rest() async {
        for _ in 0..<20 where !state.withLock({ $0.isStopping }) { try? await Task.sleep(for: .milliseconds(100)) }
    }
}
