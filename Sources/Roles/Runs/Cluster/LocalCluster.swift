internal import Broker
internal import Clock
package import Coordinator
internal import Jobs
package import Worker

/// Coordinator, worker and cataloguer (or exporter) in one process, on the embedded broker.
///
/// The run is over when every job of the ledger has ended and the cataloguer has merged every manifest. It can be stopped at
/// any moment; the next run continues.
package struct LocalCluster {
    let library: LocalLibrary
    let worker: RenderWorker
    private let sink: any PhotoSink
    private let progress: RunProgressTracker
    /// Rings when the ledger or the library has taken a manifest.
    private let manifestTaken = WakeSignal()
    /// Opens when the coordinator has ended, so that no results are read any more.
    private let coordinatorEnded = Latch()
    /// Opens when the sink has ended, so that no manifests are read any more.
    private let sinkEnded = Latch()

    package init(
        library: LocalLibrary, worker: RenderWorker, sink: any PhotoSink, progress: RunProgressTracker
    ) {
        self.library = library
        self.worker = worker
        self.sink = sink
        self.progress = progress
    }

    /// How a run ended: the ledger's result, and why it ended early if it did.
    package struct Outcome {
        package let result: RunResult?
        package let failure: (any Error)?
    }

    private enum Ended {
        case coordinator(Result<RunResult, any Error>)
        case worker(Result<Void, any Error>)
        case sink(Result<Void, any Error>)
        case drained, ticker
    }

    /// Finishes what is being rendered, and ends the run.
    package func stop() {
        progress.stopWaitingForPlan()
        worker.stop()
    }

    /// What a run is asked for.
    package enum Requests {
        /// Known from the beginning; none only finishes what is open.
        case all([RunRequest])
        /// More may come while it lasts.
        case following(AsyncStream<RunRequest>)
    }

    package func run(_ requests: Requests) async -> Outcome {
        let coordinator = CoordinatorRun(
            ledger: library.ledger, transport: library.broker, library: library.folder,
            settings: Self.settings
        ) { event in
            progress.update(event)
            if case .ended = event { manifestTaken.signal() }
        }
        let coordinating = Task {
            switch requests {
            case .all(let requests): try await coordinator.run(requests)
            case .following(let requests): try await coordinator.run(following: requests)
            }
        }
        return await withTaskGroup(of: Ended.self) { group in
            group.addTask { .coordinator(await coordinating.result) }
            group.addTask { .worker(await Self.result { try await worker.run() }) }
            group.addTask { .sink(await Self.result { try await self.takePhotos() }) }
            group.addTask { await self.tick() }
            return await outcome(&group, coordinating)
        }
    }

    /// A photo that the library refuses was lost on this machine's own disk: it is rendered again at once.
    private static var settings: RunSettings {
        var settings = RunSettings(workersGroup: WorkerGroup.name)
        settings.refusalDelays = [.milliseconds(200), .seconds(1)]
        return settings
    }

    private func takePhotos() async throws {
        try await sink.run { jobs in
            for job in jobs { await progress.update(job) }
            manifestTaken.signal()
        }
    }

    /// Ends the roles in order: the worker finishes, so that no more manifests are written; coordinator and cataloguer read
    /// the manifests that are left; then they end too. Whichever role ends first starts that.
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
                manifestTaken.signal()
                stop()
            case .worker(let end):
                do { try end.get() } catch { setFailure(error) }
                group.addTask { await self.drainManifests() }
            case .sink(let end):
                do { try end.get() } catch { setFailure(error) }
                sinkEnded.open()
                manifestTaken.signal()
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

    /// Waits until the library has taken all manifests, and the ledger all results, each while somebody reads for it. Gives up
    /// after five seconds without progress; the next run takes the rest.
    private func drainManifests() async -> Ended {
        progress.stopWaitingForPlan()
        var sinceProgress = Stopwatch()
        var left = Int64.max
        while sinceProgress.elapsed < .seconds(5) {
            let signalCount = manifestTaken.signalCount
            guard let unread = try? await unread() else { break }
            let now = (sinkEnded.isOpen ? 0 : unread.manifests) + (coordinatorEnded.isOpen ? 0 : unread.results)
            if now == 0 { break }
            if now < left {
                left = now
                sinceProgress = Stopwatch()
            }
            // A manifest that cannot be read does not ring.
            await manifestTaken.wait(after: signalCount, limit: .milliseconds(100))
        }
        return .drained
    }

    /// Call it after the last use; see `LocalLibrary.close`.
    package func close(isDone: Bool) async throws {
        if isDone { await removeFinishedRecords() }
        async let libraryClosed: Void = sink.close(isDone: isDone)
        try await library.close(isDone: isDone)
        try await libraryClosed
    }

    /// Manifests and removals that the cataloguer has not answered yet, and records of its results that the ledger has not read.
    private func unread() async throws -> (manifests: Int64, results: Int64) {
        // In this order: what is merged in between is counted as a result.
        let lag = try await sink.lag()
        let read = try await library.ledger.perform { try $0.offsets.results() }
        let written = try await library.broker.watermarks(topic: Topics.results)
        let removals = try await sink.unreadRemovals()
        let results = written.reduce(0) { $0 + max(0, $1.value.upperBound - (read[$1.key] ?? $1.value.lowerBound)) }
        return (lag + removals, results)
    }

    /// Removes manifests, results and removals once all are taken: what was in them is in the library and the ledger, or in the
    /// exported folder. Where that fails they stay, and the next run removes them.
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

    private func tick() async -> Ended {
        while !Task.isCancelled {
            progress.tick()
            try? await Task.sleep(for: .milliseconds(200))
        }
        return .ticker
    }

    private static func result<Value>(_ body: () async throws -> Value) async -> Result<Value, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
