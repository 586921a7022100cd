import Broker
import Catalogue
import Clock
import Coordinator
import Jobs
import Storage
import Telemetry
import Worker

/// Coordinator, worker and cataloguer in one process, on the embedded broker.
///
/// The run is over when every job of the ledger has ended and the cataloguer has merged every manifest. It can be
/// stopped at any moment; the next one carries on.
struct LocalCluster {
    let home: LocalLibrary
    let worker: RenderWorker
    let cataloguer: Cataloguer
    let desk: RunProgressTracker
    /// Rings when the ledger or the library took a manifest in.
    private let news = WakeSignal()

    /// How a run ended: what the ledger says, and why it ended early, where it did.
    struct Outcome {
        let result: RunResult?
        let failure: (any Error)?
    }

    private enum Ended {
        case coordinator(Result<RunResult, any Error>)
        case worker(Result<Void, any Error>)
        case cataloguer(Result<CatalogueTotals, any Error>)
        case settled, ticker
    }

    /// Opens the library for its one writer; no work is taken yet.
    ///
    /// - Throws: `LibraryError`, `BrokerError`.
    static func open(
        _ home: LocalLibrary, roots: Roots, worker: RenderWorker, desk: RunProgressTracker, log: Logger
    ) async throws -> LocalCluster {
        let cataloguer = Cataloguer(
            transport: home.broker, library: home.folder, opened: home.library, roots: roots, log: log)
        try await cataloguer.open()
        return LocalCluster(home: home, worker: worker, cataloguer: cataloguer, desk: desk)
    }

    /// Lets what is being rendered finish, and ends the run.
    func stop() {
        desk.openGate()
        worker.stop()
    }

    /// - Parameter request: nil only carries on what is open.
    func run(_ request: RunRequest?) async -> Outcome {
        let coordinator = CoordinatorRun(
            ledger: home.ledger, transport: home.broker, library: home.folder,
            settings: RunSettings(workersGroup: WorkerGroup.name)
        ) { event in
            desk.take(event)
            if case .ended = event { news.ring() }
        }
        let coordinating = Task { try await coordinator.run(request) }
        return await withTaskGroup(of: Ended.self) { group in
            group.addTask { .coordinator(await coordinating.result) }
            group.addTask { .worker(await Self.result { try await worker.run() }) }
            group.addTask { .cataloguer(await Self.result { try await self.catalogue() }) }
            group.addTask { await self.tick() }
            return await outcome(&group, coordinating)
        }
    }

    private func catalogue() async throws -> CatalogueTotals {
        try await cataloguer.run { batch in
            for merged in batch.manifests { await desk.take(merged) }
            news.ring()
        }
    }

    /// The order of the end: the worker finishes, so that no more manifests are written; coordinator and cataloguer
    /// read what there is; then they end too. Whatever ends the run begins there.
    private func outcome(
        _ group: inout TaskGroup<Ended>, _ coordinating: Task<RunResult, any Error>
    ) async -> Outcome {
        var result: RunResult?
        var failure: (any Error)?
        func note(_ error: any Error) { if failure == nil { failure = error } }
        for await ended in group {
            switch ended {
            case .coordinator(let end):
                do { result = try end.get() } catch { note(error) }
                stop()
            case .worker(let end):
                do { try end.get() } catch { note(error) }
                group.addTask { await self.settle() }
            case .cataloguer(let end):
                do { _ = try end.get() } catch { note(error) }
                stop()
            case .settled:
                coordinating.cancel()
                cataloguer.stop()
                group.cancelAll()
            case .ticker: break
            }
        }
        return Outcome(result: result, failure: failure)
    }

    /// Returns when all manifests are merged and closed, or that makes no headway any more: then the next run will.
    private func settle() async -> Ended {
        desk.openGate()
        var headway = Stopwatch()
        var left = Int64.max
        while headway.elapsed < .seconds(5) {
            let rings = news.rings
            guard let now = try? await unread(), now > 0 else { break }
            if now < left {
                left = now
                headway = Stopwatch()
            }
            // A manifest that cannot be read rings for nobody.
            await news.wait(beyond: rings, limit: .milliseconds(100))
        }
        return .settled
    }

    /// After the last use; see `LocalLibrary.close`.
    func close(isDone: Bool) async throws {
        async let libraryClosed: Void = cataloguer.close()
        try await home.close(isDone: isDone)
        await libraryClosed
    }

    /// Manifests that the cataloguer or the ledger has not read yet.
    private func unread() async throws -> Int64 {
        let closed = try await home.ledger.perform { try $0.manifestOffsets() }
        let written = try await home.broker.watermarks(topic: Topics.manifests)
        let open = written.reduce(0) { $0 + max(0, $1.value.upperBound - (closed[$1.key] ?? $1.value.lowerBound)) }
        return try await cataloguer.progress().lag + open
    }

    private func tick() async -> Ended {
        while !Task.isCancelled {
            desk.tick()
            try? await Task.sleep(for: .milliseconds(200))
        }
        return .ticker
    }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
