internal import Broker
package import Catalogue
package import Coordinator
internal import Jobs
internal import Library
internal import Manifests
internal import Storage
package import Telemetry
package import Worker

/// A run of the library that takes requests as they come, and ends when nothing has been asked for a while.
package struct LibraryRun: Sendable {
    package let ledger: Ledger
    package let cataloguer: Cataloguer
    package let roots: RootMap
    private let cluster: LocalCluster
    private let requests: AsyncStream<RunRequest>
    private let arriving: AsyncStream<RunRequest>.Continuation

    /// Opens the library and takes its locks.
    ///
    /// - Parameters:
    ///   - settings: of the worker.
    ///   - observer: learns what happens.
    /// - Throws: `RunError` where another Rawmill works in it or it cannot be written; what the parts throw.
    package static func open(
        _ folder: String, _ settings: WorkerSettings, log: Logger, observer: any RunObserver
    ) async throws -> LibraryRun {
        let pool = try RenderProcessPool(settings, library: folder)
        pool.load()
        let library = try await LocalLibrary.open(.library(folder), log: log) { _ in }
        let (roots, map, _) = try await SourceRoots.open([], library: library)
        let sink = try await LibrarySink.open(library, folder: folder, roots, log: log)
        let worker = try RenderWorker(
            pool: pool, transport: library.broker, roots: roots, log: log, observe: { observer.update($0) })
        worker.prewarm()
        Task.detached { worker.expectRootsAsTheyAre() }
        let progress = RunProgressTracker(
            reporter: observer, roots: map, photos: "\(folder)/\(LibraryLayout.photos)", makesPlan: false)
        return LibraryRun(
            LocalCluster(
                library: library, worker: worker, sink: ObservedSink(sink: sink, observer: observer), progress: progress
            ),
            sink.cataloguer, map)
    }

    /// A run whose roles are ready.
    package init(_ cluster: LocalCluster, _ cataloguer: Cataloguer, _ roots: RootMap) {
        ledger = cluster.library.ledger
        self.cataloguer = cataloguer
        self.roots = roots
        self.cluster = cluster
        (requests, arriving) = AsyncStream.makeStream(of: RunRequest.self)
    }

    /// Memory that the render processes have now, in bytes.
    package var renderBytes: UInt64 { cluster.worker.snapshot.memory.residentBySlot.reduce(0, +) }

    /// Asks for more. The answer is false once the run is ending; the next one takes the request then.
    package func submit(_ request: RunRequest) -> Bool {
        if case .terminated = arriving.yield(request) { false } else { true }
    }

    /// Takes no more requests: the run ends when all is done.
    package func finish() { arriving.finish() }

    /// Ends the run; what is being rendered is finished.
    package func stop() {
        arriving.finish()
        cluster.stop()
    }

    /// Works until `finish` or `stop`.
    package func outcome() async -> LocalCluster.Outcome { await cluster.run(.following(requests)) }

    /// Works until `finish` or `stop`, and closes everything.
    package func work() async throws {
        let outcome = await outcome()
        let open = try await ledger.perform { try $0.reports.totals().open }
        try await cluster.close(isDone: outcome.failure == nil && outcome.result?.isComplete == true && open == 0)
        if let failure = outcome.failure { throw failure }
    }
}
