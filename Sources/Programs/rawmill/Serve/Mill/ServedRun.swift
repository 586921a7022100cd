import Broker
import Catalogue
import Coordinator
import Jobs
import Library
import Manifests
import Storage
import Telemetry
import Worker

/// A run of the library that takes requests as they come, and ends when nothing has been asked for a while.
struct ServedRun: Sendable {
    let ledger: Ledger
    let cataloguer: Cataloguer
    let roots: RootMap
    private let cluster: LocalCluster
    private let requests: AsyncStream<RunRequest>
    private let arriving: AsyncStream<RunRequest>.Continuation

    /// Opens the library and takes its locks.
    ///
    /// - Parameters:
    ///   - settings: of the worker.
    ///   - watcher: learns what happens.
    /// - Throws: `CommandFailure` where another Rawmill works in it or it cannot be written; what the parts throw.
    static func open(
        _ folder: String, _ settings: WorkerSettings, log: Logger, watcher: WorksWatcher
    ) async throws -> ServedRun {
        let pool = try RenderProcessPool(settings, library: folder)
        pool.load()
        let library = try await LocalLibrary.open(.library(folder), log: log) { _ in }
        let (roots, map, _) = try await SourceRoots.open([], library: library)
        let sink = try await LibrarySink.open(library, folder: folder, roots, log: log)
        let worker = try RenderWorker(
            pool: pool, transport: library.broker, roots: roots, log: log, observe: { watcher.update($0) })
        worker.prewarm()
        Task.detached { worker.expectRootsAsTheyAre() }
        let progress = RunProgressTracker(
            reporter: watcher, roots: map, photos: "\(folder)/\(LibraryLayout.photos)", makesPlan: false)
        return ServedRun(
            LocalCluster(
                library: library, worker: worker, sink: WatchedSink(sink: sink, watcher: watcher), progress: progress),
            sink.cataloguer, map)
    }

    /// A run whose roles are ready.
    init(_ cluster: LocalCluster, _ cataloguer: Cataloguer, _ roots: RootMap) {
        ledger = cluster.library.ledger
        self.cataloguer = cataloguer
        self.roots = roots
        self.cluster = cluster
        (requests, arriving) = AsyncStream.makeStream(of: RunRequest.self)
    }

    /// Memory that the render processes have now, in bytes.
    var renderBytes: UInt64 { cluster.worker.snapshot.memory.residentBySlot.reduce(0, +) }

    /// Asks for more. The answer is false once the run is ending; the next one takes the request then.
    func submit(_ request: RunRequest) -> Bool {
        if case .terminated = arriving.yield(request) { false } else { true }
    }

    /// Takes no more requests: the run ends when all is done.
    func finish() { arriving.finish() }

    /// Ends the run; what is being rendered is finished.
    func stop() {
        arriving.finish()
        cluster.stop()
    }

    /// Works until `finish` or `stop`.
    func outcome() async -> LocalCluster.Outcome { await cluster.run(.following(requests)) }

    /// Works until `finish` or `stop`, and closes everything.
    func work() async throws {
        let outcome = await outcome()
        let open = try await ledger.perform { try $0.reports.totals().open }
        try await cluster.close(isDone: outcome.failure == nil && outcome.result?.isComplete == true && open == 0)
        if let failure = outcome.failure { throw failure }
    }
}

/// A library's sink that tells which photos came.
struct WatchedSink: PhotoSink {
    let sink: LibrarySink
    let watcher: WorksWatcher

    func run(_ onJobs: @Sendable ([FinishedJob]) async throws -> Void) async throws {
        try await sink.run { jobs in
            for job in jobs { watcher.finished(job) }
            try await onJobs(jobs)
        }
    }

    func stop() { sink.stop() }
    func lag() async throws -> Int64 { try await sink.lag() }
    func unreadRemovals() async throws -> Int64 { try await sink.unreadRemovals() }
    func close(isDone: Bool) async throws { await sink.close(isDone: isDone) }
}
