internal import Clock
internal import Coordinator
internal import Jobs
internal import Manifests
internal import PhotoTree
internal import Processes
internal import Runs
internal import Storage
internal import WebService
internal import Worker

/// A library on this machine, whose runs do the work of the page.
struct LibraryOperations: Operations {
    let owner: RunOwner
    let figures: ThroughputStatistics
    let folder: String
    let version: String

    func work() async { await owner.work() }
    func stop() async { await owner.stop() }

    func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        try await owner.withLibrary(body)
    }

    func reading() async -> OperationsStatus {
        let snapshot = figures.snapshot
        var reading = OperationsStatus(
            problem: await owner.problem, inFlight: snapshot.slots.count { $0 != nil }, completed: snapshot.completed,
            degraded: snapshot.degraded, failed: snapshot.failed, slots: await slots(of: snapshot),
            memoryBytes: CurrentProcess.residentBytes + (await owner.renderBytes))
        if await owner.isWorking {
            reading.open = (try? await owner.readingLedger(else: JobCounts()) { try $0.reports.totals() })?.open ?? 0
        }
        return reading
    }

    /// A command's run may have more slots than its page.
    private func slots(of snapshot: ThroughputStatistics.Snapshot) async -> Int {
        max(await owner.slots, snapshot.slots.count)
    }

    func workers() async -> [WorkerSummary] {
        let snapshot = figures.snapshot
        let busy = await owner.isWorking ? snapshot.slots : []
        let shown = (0..<(await slots(of: snapshot))).map { number in
            let rendering = busy.indices.contains(number) ? busy[number] : nil
            return WorkerSummary.Slot(
                job: rendering?.job, file: rendering.map { "\($0.file.root)/\($0.file.path)" },
                seconds: rendering.map { (ContinuousClock.now - $0.start).seconds })
        }
        return [
            WorkerSummary(
                name: "this machine", node: WorkerSettings.hostName, version: "version \(version)",
                state: busy.contains { $0 != nil } ? "working" : "idle", message: await owner.problem, slots: shown,
                memoryBytes: CurrentProcess.residentBytes + (await owner.renderBytes),
                completed: snapshot.completed + snapshot.degraded, failed: snapshot.failed,
                lastHeartbeatMilliseconds: WallClock.milliseconds, canDrain: false)
        ]
    }

    func drain(_ worker: String) throws {
        throw ServiceError(
            409, "no-drain", "The worker on this machine runs inside the server.",
            remedy: "Stop the server with Ctrl-C.")
    }

    // MARK: Batches

    func batches() async throws -> [BatchSummary] {
        try await owner.readingLedger(else: []) { store in
            var all: [BatchSummary] = []
            try store.reports.eachBatch { all.append(Self.shown($0)) }
            return all
        }
    }

    private static func shown(_ batch: BatchReport) -> BatchSummary {
        let isOver = batch.state == .running && batch.counts.open == 0
        let settings = batch.recipe.canonicalText.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] != "look" ? (name: String(parts[0]), value: String(parts[1])) : nil
        }
        return BatchSummary(
            id: batch.batch, submittedMilliseconds: batch.submittedMilliseconds, look: batch.recipe.look.description,
            state: isOver ? "completed" : batch.state == .cancelling ? "cancelled" : "\(batch.state)",
            lane: batch.lane, counts: batch.counts, reused: Int(clamping: batch.reused), problem: nil,
            settings: settings)
    }

    func change(_ batch: BatchID, _ action: BatchAction) async throws {
        try await owner.withLedger { store in
            do {
                switch action {
                case .pause: try store.control.pause(batch)
                case .resume: try store.control.resume(batch)
                case .cancel: try store.control.cancel(batch)
                case .retry: _ = try store.control.retry(RetryFilter(batch: batch))
                }
            } catch LedgerError.unknownBatch {
                throw ServiceError.unknownBatch
            }
        }
        switch action {
        case .resume, .retry: await owner.finishOpen()
        case .pause, .cancel: break
        }
    }

    // MARK: Failures

    func failures(of batch: BatchID?) async throws -> [FailureSummary] {
        try await owner.readingLedger(else: []) { store in
            var all: [FailureSummary] = []
            try store.reports.eachFailure(batch: batch) { job in
                guard !job.isSuperseded else { return }
                all.append(
                    FailureSummary(
                        group: job.failure.reason.rawValue, job: job.job, batch: job.batch, file: job.file,
                        message: job.failure.message(about: job.file), attempts: Int(job.attempts),
                        signal: job.failure.signal, isRetryable: true))
            }
            try store.reports.eachRefusal(of: batch) { job in
                all.append(
                    FailureSummary(
                        group: "refused", job: job.job, batch: job.batch, file: job.file, message: job.refusal.message,
                        attempts: job.count, signal: nil, isRetryable: false))
            }
            try store.reports.eachDegraded(of: batch) { job in
                all.append(
                    FailureSummary(
                        group: "degraded", job: job.job, batch: job.batch, file: job.file, message: job.cause,
                        attempts: 1, signal: nil, isRetryable: job.isRetryable))
            }
            return all
        }
    }

    func retry(_ filter: RetryFilter?, _ tried: [FailureSummary]) async throws -> Int {
        let opened = try await owner.withLedger { store in try filter.map { try store.control.retry($0) } ?? 0 }
        await owner.submit(try await plannedAnew(tried))
        await owner.finishOpen()
        return opened
    }

    /// The ledger treats a repaired file as a new one, so it is planned again.
    private func plannedAnew(_ failures: [FailureSummary]) async throws -> [RunRequest] {
        let (roots, recipes) = try await owner.readingLedger(else: (RootMap(), [BatchID: Recipe]())) { store in
            var recipes: [BatchID: Recipe] = [:]
            try store.reports.eachBatch { recipes[$0.batch] = $0.recipe }
            return (try store.roots.all(), recipes)
        }
        var sources: [Recipe: [[UInt8]]] = [:]
        for failure in failures where failure.isRetryable && failure.group != "degraded" {
            guard let recipe = recipes[failure.batch] else { continue }
            let path =
                failure.file.root == .library
                ? Array(folder.utf8) + [UInt8(ascii: "/")] + failure.file.path.bytes : roots.absolute(failure.file)
            sources[recipe, default: []].append(path)
        }
        return sources.map { recipe, paths in
            RunRequest(
                sources: paths,
                submission: Submission(
                    recipe: recipe, lane: .interactive, submittedMilliseconds: WallClock.milliseconds))
        }
    }

    // MARK: New photos

    func develop(_ paths: [String], _ recipes: any RecipeSource) async throws {
        let recipes = try await owner.withLedger { try recipes.recipes(in: $0, recording: true).map(\.recipe) }
        let now = WallClock.milliseconds
        let submissions = recipes.map { Submission(recipe: $0, lane: .interactive, submittedMilliseconds: now) }
        await owner.submit([RunRequest(sources: paths.map { Array("\(folder)/\($0)".utf8) }, submissions: submissions)])
    }

    func ownLooks() async throws -> [LookReference] { try await owner.readingLedger(else: []) { try $0.looks.all() } }
}
