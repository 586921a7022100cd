import Clock
import CommandLineTool
import Coordinator
import Jobs
import Library
import Manifests
import Processes
import Storage
import WebService
import Worker

extension Mill: Works {
    nonisolated var figures: WorksFigures { watcher.figures }

    func reading() async -> WorksReading {
        let snapshot = figures.snapshot
        var reading = WorksReading(
            problem: problem, inFlight: snapshot.slots.count { $0 != nil }, completed: snapshot.completed,
            degraded: snapshot.degraded, failed: snapshot.failed, slots: slots(of: snapshot),
            memoryBytes: CurrentProcess.residentBytes + renderBytes)
        if isWorking {
            reading.open = (try? await readingLedger(else: JobCounts()) { try $0.reports.totals() })?.open ?? 0
        }
        return reading
    }

    /// A run whose page this is has slots of its own.
    private func slots(of snapshot: WorksFigures.Snapshot) -> Int { max(slots, snapshot.slots.count) }

    func workers() -> [ShownWorker] {
        let snapshot = figures.snapshot
        let busy = isWorking ? snapshot.slots : []
        let shown = (0..<slots(of: snapshot)).map { number in
            let rendering = busy.indices.contains(number) ? busy[number] : nil
            return ShownWorker.Slot(
                job: rendering?.job, file: rendering.map { "\($0.file.root)/\($0.file.path)" },
                seconds: rendering.map { (ContinuousClock.now - $0.start).seconds })
        }
        return [
            ShownWorker(
                name: "this machine", node: WorkerSettings.hostName, version: "version \(Version.number)",
                state: busy.contains { $0 != nil } ? "working" : "idle", message: problem, slots: shown,
                memoryBytes: CurrentProcess.residentBytes + renderBytes,
                completed: snapshot.completed + snapshot.degraded, failed: snapshot.failed,
                lastHeartbeatMilliseconds: WallClock.milliseconds, canDrain: false)
        ]
    }

    func drain(_ worker: String) throws {
        throw ServiceError(
            409, "no-drain", "This machine's own worker ends with the server.", remedy: "End the server: Ctrl-C.")
    }

    // MARK: Batches

    func batches() async throws -> [ShownBatch] {
        try await readingLedger(else: []) { store in
            var all: [ShownBatch] = []
            try store.reports.eachBatch { all.append(Self.shown($0)) }
            return all
        }
    }

    private static func shown(_ batch: BatchReport) -> ShownBatch {
        let isOver = batch.state == .running && batch.counts.open == 0
        let settings = batch.recipe.canonicalText.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "=", maxSplits: 1)
            return parts.count == 2 && parts[0] != "look" ? (name: String(parts[0]), value: String(parts[1])) : nil
        }
        return ShownBatch(
            id: batch.batch, submittedMilliseconds: batch.submittedMilliseconds, look: batch.recipe.look.description,
            state: isOver ? "completed" : batch.state == .cancelling ? "cancelled" : "\(batch.state)",
            lane: batch.lane, counts: batch.counts, reused: Int(clamping: batch.reused), problem: nil,
            settings: settings)
    }

    func change(_ batch: BatchID, _ action: BatchAction) async throws {
        try await withLedger { store in
            do {
                switch action {
                case .pause: try store.control.pause(batch)
                case .resume: try store.control.resume(batch)
                case .cancel: try store.control.cancel(batch)
                case .retry: _ = try store.control.retry(RetryFilter(batch: batch))
                }
            } catch LedgerError.unknownBatch {
                throw BatchRoutes.unknown
            }
        }
        switch action {
        case .resume, .retry: finishOpen()
        case .pause, .cancel: break
        }
    }

    // MARK: Failures

    func failures(of batch: BatchID?) async throws -> [ShownFailure] {
        try await readingLedger(else: []) { store in
            var all: [ShownFailure] = []
            try store.reports.eachFailure(batch: batch) { job in
                guard !job.isSuperseded else { return }
                all.append(
                    ShownFailure(
                        group: job.failure.reason.rawValue, job: job.job, batch: job.batch, file: job.file,
                        message: job.failure.message(about: job.file), attempts: Int(job.attempts),
                        signal: job.failure.signal, isRetryable: true))
            }
            try store.reports.eachRefusal(of: batch) { job in
                all.append(
                    ShownFailure(
                        group: "refused", job: job.job, batch: job.batch, file: job.file, message: job.refusal.message,
                        attempts: job.count, signal: nil, isRetryable: false))
            }
            try store.reports.eachDegraded(of: batch) { job in
                all.append(
                    ShownFailure(
                        group: "degraded", job: job.job, batch: job.batch, file: job.file, message: job.cause,
                        attempts: 1, signal: nil, isRetryable: job.isRetryable))
            }
            return all
        }
    }

    func retry(_ filter: RetryFilter?, _ tried: [ShownFailure]) async throws -> Int {
        let opened = try await withLedger { store in try filter.map { try store.control.retry($0) } ?? 0 }
        submit(try await plannedAnew(tried))
        finishOpen()
        return opened
    }

    /// A file that was mended since, as its remedy says, is another file for the ledger: it is planned as a new one.
    private func plannedAnew(_ failures: [ShownFailure]) async throws -> [RunRequest] {
        let (roots, recipes) = try await readingLedger(else: (RootMap(), [BatchID: Recipe]())) { store in
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

    func develop(_ paths: [String], _ selection: RecipeSelection) async throws {
        let recipes = try await withLedger { try selection.recipes(in: $0, recording: true).map(\.recipe) }
        let now = WallClock.milliseconds
        let submissions = recipes.map { Submission(recipe: $0, lane: .interactive, submittedMilliseconds: now) }
        submit([RunRequest(sources: paths.map { Array("\(folder)/\($0)".utf8) }, submissions: submissions)])
    }

    func ownLooks() async throws -> [LookReference] { try await readingLedger(else: []) { try $0.looks.all() } }
}
