internal import Broker
internal import Catalogue
internal import Clock
package import Coordinator
internal import Jobs
internal import Manifests
internal import Synchronization
internal import Worker

/// Coordinator, worker and cataloguer (or exporter) in one process, on the embedded broker.
///
/// The run takes requests until `finish`. It ends when every job of the ledger has ended and the cataloguer has merged
/// every manifest. It can be stopped at any time; the next run continues.
package final class LocalCluster: Sendable {
    private let library: LocalLibrary
    private let worker: RenderWorker
    private let sink: any PhotoSink
    private let progress: RunProgressTracker
    private let observer: (any RunObserver)?
    private let reportsEachPlan: Bool
    private let (requests, arriving) = AsyncStream.makeStream(of: RunRequest.self)
    private let plans = Atomic(0)
    /// Signalled when a request is planned, when the ledger or the library has taken a manifest, and at
    /// `ledgerChanged`.
    let changes = WakeSignal()
    /// Opens when the coordinator has ended and reads no more results.
    private let coordinatorEnded = Latch()
    /// Opens when the sink has ended and reads no more manifests.
    private let sinkEnded = Latch()

    /// - Parameter reportsEachPlan: false to report a single plan of all requests once the last one is planned.
    init(
        _ library: LocalLibrary, _ worker: RenderWorker, _ sink: any PhotoSink, _ progress: RunProgressTracker,
        observer: (any RunObserver)?, reportsEachPlan: Bool
    ) {
        self.library = library
        self.worker = worker
        self.sink = sink
        self.progress = progress
        self.observer = observer
        self.reportsEachPlan = reportsEachPlan
    }

    // MARK: State

    package var ledger: Ledger { library.ledger }

    /// Nil for an export.
    var cataloguer: Cataloguer? { (sink as? LibrarySink)?.cataloguer }

    var plannedCount: Int { plans.load(ordering: .relaxed) }

    /// Memory of the render processes, in bytes.
    var renderBytes: UInt64 { worker.snapshot.memory.residentBySlot.reduce(0, +) }

    // MARK: Control

    func submit(_ request: RunRequest) { arriving.yield(request) }

    /// Takes no more requests: the run ends when all jobs have ended.
    func finish() { arriving.finish() }

    /// Finishes the photos in progress, and ends the run.
    package func stop() {
        arriving.finish()
        progress.stopWaitingForPlan()
        worker.stop()
    }

    /// Call it after another change of the ledger.
    func ledgerChanged() {
        ledger.changes.signal()
        changes.signal()
    }

    // MARK: Run

    /// The end of a run: the ledger's result, and the cause of an early end.
    package struct Outcome: Sendable {
        package let result: RunResult?
        package let failure: (any Error)?
    }

    private enum Ended {
        case coordinator(Result<RunResult, any Error>)
        case worker(Result<Void, any Error>)
        case sink(Result<Void, any Error>)
        case drained, ticker
    }

    package func run() async -> Outcome {
        let coordinator = CoordinatorRun(
            ledger: ledger, transport: library.broker, library: library.folder, settings: Self.settings
        ) { [self] event in
            progress.update(event)
            switch event {
            case .planned: plans.add(1, ordering: .relaxed)
            case .ended: break
            default: return
            }
            changes.signal()
        }
        let coordinating = Task {
            try await coordinator.run(following: requests, reportsEachPlan: reportsEachPlan)
        }
        return await withTaskGroup(of: Ended.self) { group in
            group.addTask { .coordinator(await coordinating.result) }
            group.addTask { .worker(await Self.result { try await self.worker.run() }) }
            group.addTask { .sink(await Self.result { try await self.takePhotos() }) }
            group.addTask {
                await Periodic.run(every: .milliseconds(200)) { self.progress.tick() }
                return .ticker
            }
            return await outcome(&group, coordinating)
        }
    }

    /// A photo that the library refuses was lost on this machine's disk, so it is rendered again at once.
    private static var settings: RunSettings {
        var settings = RunSettings(workersGroup: WorkerGroup.name)
        settings.refusalDelays = [.milliseconds(200), .seconds(1)]
        return settings
    }

    private func takePhotos() async throws {
        try await sink.run { jobs in
            for job in jobs {
                observer?.finished(job)
                await progress.update(job)
            }
            changes.signal()
        }
    }

    /// Ends the roles in order: the worker finishes, so that no more manifests are written; coordinator and cataloguer
    /// read the remaining manifests and end. The end of any role starts this.
    private func outcome(
        _ group: inout TaskGroup<Ended>, _ coordinating: Task<RunResult, any Error>
    ) async -> Outcome {
        var result: RunResult?
        var failure: (any Error)?
        func setFailure(_ error: any Error) { if failure == nil { failure = error } }
        for await ended in group {
            switch ended {
            case .coordinator(let end):
                do { result = try end.get() } catch { setFailure(error) }
                coordinatorEnded.open()
                changes.signal()
                stop()
            case .worker(let end):
                do { try end.get() } catch { setFailure(error) }
                group.addTask { await self.drainManifests() }
            case .sink(let end):
                do { try end.get() } catch { setFailure(error) }
                sinkEnded.open()
                changes.signal()
                stop()
            case .drained:
                coordinating.cancel()
                sink.stop()
                group.cancelAll()
            case .ticker: break
            }
        }
        return Outcome(result: result, failure: failure)
    }

    /// Waits until the library has taken all manifests and the ledger all results, each while its role runs. Gives up
    /// after five seconds without progress; the next run takes the remaining ones.
    private func drainManifests() async -> Ended {
        progress.stopWaitingForPlan()
        var sinceProgress = Stopwatch()
        var left = Int64.max
        while sinceProgress.elapsed < .seconds(5) {
            let signalCount = changes.signalCount
            guard let unread = try? await unread() else { break }
            let now = (sinkEnded.isOpen ? 0 : unread.manifests) + (coordinatorEnded.isOpen ? 0 : unread.results)
            if now == 0 { break }
            if now < left {
                left = now
                sinceProgress = Stopwatch()
            }
            // The cataloguer does not signal when it takes a removal.
            await changes.wait(after: signalCount, limit: .milliseconds(100))
        }
        return .drained
    }

    // MARK: End

    /// Reports the end of the run. Call it after `run`.
    package func summary() async throws -> RunSummary { progress.end(open: try await openCount) }

    private var openCount: Int { get async throws { try await ledger.perform { try $0.reports.totals().open } } }

    /// Closes everything after `run`. Throws the cause of an early end.
    package func close(after outcome: Outcome) async throws {
        let isComplete = outcome.failure == nil && outcome.result?.isComplete == true
        let open = try await openCount
        let isDone = isComplete && open == 0

        if isDone { await removeFinishedRecords() }
        async let libraryClosed: Void = sink.close(isDone: isDone)
        try await library.close(isDone: isDone)
        try await libraryClosed
        if let failure = outcome.failure { throw failure }
    }

    /// Manifests and removals without the cataloguer's result, and results that the ledger has not read.
    private func unread() async throws -> (manifests: Int64, results: Int64) {
        // In this order, a manifest that is merged in between counts as a result.
        let lag = try await sink.lag()
        let read = try await library.ledger.perform { try $0.offsets.results() }
        let written = try await library.broker.watermarks(topic: Topics.results)
        let removals = try await sink.unreadRemovals()
        let results = written.reduce(0) { $0 + max(0, $1.value.upperBound - (read[$1.key] ?? $1.value.lowerBound)) }
        return (lag + removals, results)
    }

    /// Removes manifests, results and removals once all are taken, because library and ledger, or the exported folder,
    /// have their content. If that fails, the next run removes them.
    private func removeFinishedRecords() async {
        do {
            var ends: [String: [Int32: Int64]] = [:]
            for topic in [Topics.manifests, Topics.results, Topics.removals] {
                ends[topic] = try await library.broker.watermarks(topic: topic).mapValues(\.upperBound)
            }
            guard try await unread() == (0, 0) else { return }
            for (topic, offsets) in ends { try await library.broker.deleteRecords(of: topic, before: offsets) }
        } catch {}
    }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
