internal import Broker
internal import Catalogue
internal import Clock
package import Coordinator
internal import Jobs
internal import LibraryTables
internal import Manifests
package import PhotoTree
internal import Storage
package import Telemetry
package import Worker

/// Owns the runs of a folder, one at a time: for `convert`, its page, or `serve`. Performs the actions of
/// ``RunLifecycle``.
package actor RunOwner {
    package let folder: String
    private let settings: WorkerSettings
    package var slots: Int { settings.slots }
    package nonisolated let observer: (any RunObserver)?
    private let log: Logger

    private var lifecycle: RunLifecycle
    private var run: LocalCluster?
    private var timer: Task<Void, any Error>?
    /// Signalled after each event of the lifecycle.
    private let changes = WakeSignal()
    /// One element for each run to open.
    private let (openings, opening) = AsyncStream.makeStream(of: Void.self)
    /// The cause of the last run's failure; nil after a success.
    package private(set) var problem: String?

    /// The longest wait while a run opens or closes its ledger, or another command holds the library.
    private static let patience = Duration.seconds(10)

    /// - Parameter observer: follows the runs, for a page.
    package init(
        _ folder: String, _ kind: RunLifecycle.Kind, _ settings: WorkerSettings, log: Logger,
        observer: (any RunObserver)? = nil
    ) {
        self.folder = folder
        self.settings = settings
        self.log = log
        self.observer = observer
        lifecycle = RunLifecycle(kind)
    }

    // MARK: Requests

    package func submit(_ requests: [RunRequest]) { apply(lifecycle.requested(requests)) }

    /// Announces requests, so that the run does not end before.
    package func expect() { apply(lifecycle.expected()) }

    package func submitExpected(_ requests: [RunRequest]) { apply(lifecycle.expectedCame(requests)) }

    /// Finishes open jobs: after a retry, or when a batch is resumed.
    package func finishOpen() { apply(lifecycle.wantsOpenJobs()) }

    /// Returns once the condition holds for the ledger, or no work is left.
    package func wait(until condition: @Sendable (LedgerStore) throws -> Bool) async {
        while !Task.isCancelled {
            let count = changes.signalCount
            if (try? await readingLedger(else: false, condition)) == true { return }
            if run == nil, !lifecycle.hasRequests { return }
            await changes.waitUnlessCancelled(after: count)
        }
    }

    // MARK: State

    package var isWorking: Bool { run != nil }

    /// Memory of the run's render processes, in bytes.
    package var renderBytes: UInt64 { run?.renderBytes ?? 0 }

    // MARK: Ledger and library

    /// Uses the run's ledger; without a run, locks and opens the library's.
    package func withLedger<Value: Sendable>(_ body: @Sendable (LedgerStore) throws -> Value) async throws -> Value {
        if let value = try await performInRun(body, changes: true) { return value }
        lifecycle.ledgerBorrowed()
        defer { apply(lifecycle.ledgerReturned()) }
        let lock = try CoordinatorLock(library: folder)
        defer { withExtendedLifetime(lock) {} }
        let ledger = try await Ledger.open(library: folder, lock: lock.server)
        return try await Self.perform(body, with: ledger)
    }

    /// Reads the ledger; returns `otherwise` if there is none yet.
    package func readingLedger<Value: Sendable>(
        else otherwise: Value, _ body: @Sendable (LedgerStore) throws -> Value
    ) async throws -> Value {
        if let value = try await performInRun(body, changes: false) { return value }
        guard let ledger = try Ledger.existing(library: folder) else { return otherwise }
        return try await Self.perform(body, with: ledger)
    }

    /// Uses the run's ledger; nil without a run. Waits for a run that opens or closes its ledger.
    private func performInRun<Value: Sendable>(
        _ body: @Sendable (LedgerStore) throws -> Value, changes isChange: Bool
    ) async throws -> Value? {
        let deadline = ContinuousClock.now + Self.patience
        while ContinuousClock.now < deadline {
            try Task.checkCancellation()
            let count = changes.signalCount
            switch lifecycle.ledgerAccess {
            case .library: return nil
            case .run:
                guard let run else { return nil }
                do {
                    let value = try await run.ledger.perform(body)
                    if isChange { run.ledgerChanged() }
                    return value
                } catch LedgerError.closed {}
            case .later: break
            }
            await changes.waitUnlessCancelled(after: count, limit: deadline - .now)
        }
        throw LedgerError.closed
    }

    private static func perform<Value: Sendable>(
        _ body: @Sendable (LedgerStore) throws -> Value, with ledger: Ledger
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await ledger.perform(body)) } catch { result = .failure(error) }
        await ledger.close()
        return try result.get()
    }

    /// Changes the library: between two steps of the run, or without a run under the library's lock.
    package func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            try Task.checkCancellation()
            let count = changes.signalCount
            if let cataloguer = run?.cataloguer { return try await cataloguer.perform(body) }
            do { return try body(LibraryStore(folder: folder, mode: .change)) } catch LibraryError.busy
                where ContinuousClock.now < deadline
            {
                // A run that opens signals. Another process's lock does not, so this tries again.
                await changes.waitUnlessCancelled(after: count, limit: .milliseconds(50))
            }
        }
    }

    // MARK: Work

    /// Does the work of a service until `stop`. Starts with the jobs that an earlier process left open.
    package func work() async {
        if (try? await readingLedger(else: false) { try $0.outbox.hasOpenJobs() }) == true { finishOpen() }
        for await _ in openings { await openAndWork() }
    }

    package func work(on run: LocalCluster, _ requests: [RunRequest]) async -> LocalCluster.Outcome {
        let outcome = await follow(run, lifecycle.adopted(requests))
        ended(hasFailed: outcome.failure != nil)
        return outcome
    }

    package func stop() { apply(lifecycle.stop()) }

    private func openAndWork() async {
        observer?.began()
        do {
            let run = try await open()
            let outcome = await follow(run, lifecycle.opened())
            try await run.close(after: outcome)
            problem = nil
        } catch {
            // The ledger keeps open jobs.
            problem = "\(error)"
            log.warning(.runFailed, [.message: "\(error)"])
        }
        ended(hasFailed: problem != nil)
        observer?.batchesChanged()
    }

    private func open() async throws -> LocalCluster {
        var opened = try await RunOpening(.library(folder), settings, log: log).open()
        return try await opened.cluster(observer: observer)
    }

    private func follow(_ run: LocalCluster, _ actions: [RunLifecycle.Action]) async -> LocalCluster.Outcome {
        self.run = run
        apply(actions)
        // A command's run ends automatically.
        let watching = lifecycle.phase == .running ? Task { await watch(run) } : nil
        defer { watching?.cancel() }
        return await run.run()
    }

    /// Reports a run's progress to the lifecycle until the task is cancelled.
    private func watch(_ run: LocalCluster) async {
        while !Task.isCancelled {
            let count = run.changes.signalCount
            let plannedCount = run.plannedCount
            let hasOpenJobs = (try? await run.ledger.perform { try $0.outbox.hasOpenJobs() }) ?? true
            if Task.isCancelled { return }
            apply(lifecycle.progressed(plannedCount: plannedCount, hasOpenJobs: hasOpenJobs))
            await run.changes.waitUnlessCancelled(after: count)
        }
    }

    private func ended(hasFailed: Bool) {
        run = nil
        apply(lifecycle.ended(hasFailed: hasFailed))
    }

    private func apply(_ actions: [RunLifecycle.Action]) {
        for action in actions {
            switch action {
            case .open: opening.yield()
            case .end: opening.finish()
            case .submit(let requests): for request in requests { run?.submit(request) }
            case .finish: run?.finish()
            case .stop: run?.stop()
            case .startTimer(let time):
                timer?.cancel()
                timer = Task {
                    try await Task.sleep(for: time)
                    if !Task.isCancelled { apply(lifecycle.timeIsUp()) }
                }
            case .stopTimer: timer?.cancel()
            }
        }
        changes.signal()
    }
}
