internal import Broker
internal import Catalogue
internal import Clock
package import Coordinator
internal import Jobs
package import Library
internal import Manifests
internal import Storage
package import Telemetry
package import Worker

/// Does the work of a served library: one run at a time, which is begun when somebody asks for something, and ends when all is
/// done, so that other commands can work in the library, too.
package actor RunOwner {
    package let folder: String
    package nonisolated let observer: any RunObserver
    private let settings: WorkerSettings
    package var slots: Int { settings.slots }
    private let log: Logger

    private var run: LibraryRun?
    /// What the next run is asked for.
    private var waiting: [RunRequest] = []
    /// Somebody asked for a run that finishes what is open.
    private var isWanted = false
    /// Requests that the present run got, in their order.
    private var submitted: [RunRequest] = []
    private var isStopping = false
    /// A run is about to have the ledger, and others who have it for a moment meanwhile.
    private var isOpening = false
    private var ledgerUsers = 0
    /// Requests that will come once previews of them are there.
    private var expectedCount = 0
    /// Why the last run ended early; nil after one that did not.
    package private(set) var problem: String?
    private let signal = WakeSignal()

    package init(_ folder: String, _ settings: WorkerSettings, log: Logger, observer: any RunObserver) {
        self.folder = folder
        self.settings = settings
        self.log = log
        self.observer = observer
    }

    // MARK: Asking

    /// Asks for renditions.
    package func submit(_ requests: [RunRequest]) {
        for request in requests {
            if let run, run.submit(request) { submitted.append(request) } else { waiting.append(request) }
        }
        signal.signal()
    }

    /// A request will come: the run does not end before.
    package func expect() { expectedCount += 1 }

    /// Asks for renditions that were expected.
    package func submitExpected(_ requests: [RunRequest]) {
        submit(requests)
        expectedCount -= 1
    }

    /// Asks for what is open: after a retry, or when a batch goes on.
    package func finishOpen() {
        isWanted = true
        signal.signal()
    }

    /// True while something is asked for that no run has begun with.
    package var hasRequests: Bool { !waiting.isEmpty || isWanted }

    /// Memory that the render processes of the run have now, in bytes.
    package var renderBytes: UInt64 { run?.renderBytes ?? 0 }

    /// True while a run is going on.
    package var isWorking: Bool { run != nil }

    /// Does something with the ledger: that of the run, or else the library's, locked meanwhile.
    package func withLedger<Value: Sendable>(_ body: @Sendable (LedgerStore) throws -> Value) async throws -> Value {
        if let value = try await performInRun(body) { return value }
        // A run that begins waits for its end.
        ledgerUsers += 1
        defer { ledgerUsers -= 1 }
        let lock = try CoordinatorLock(library: folder)
        defer { withExtendedLifetime(lock) {} }
        let ledger = try await Ledger.open(library: folder, lock: lock.server)
        return try await Self.perform(body, with: ledger)
    }

    /// Reads the ledger; `otherwise` where there is none yet.
    package func readingLedger<Value: Sendable>(
        else otherwise: Value, _ body: @Sendable (LedgerStore) throws -> Value
    ) async throws -> Value {
        if let value = try await performInRun(body) { return value }
        guard let ledger = try Ledger.existing(library: folder) else { return otherwise }
        return try await Self.perform(body, with: ledger)
    }

    /// Does something with the run's ledger; nil where there is no run. One that is just beginning is waited for. One that is just
    /// ending has closed its ledger: then that of the library can be had a moment later.
    private func performInRun<Value: Sendable>(
        _ body: @Sendable (LedgerStore) throws -> Value
    ) async throws -> Value? {
        for _ in 0..<Self.endingPauses {
            guard let run else {
                guard isOpening else { return nil }
                try await Task.sleep(for: .milliseconds(50))
                continue
            }
            do { return try await run.ledger.perform(body) } catch LedgerError.closed {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw LedgerError.closed
    }

    /// Ten seconds of waiting.
    private static let endingPauses = 200

    /// Closes the ledger afterwards.
    private static func perform<Value: Sendable>(
        _ body: @Sendable (LedgerStore) throws -> Value, with ledger: Ledger
    ) async throws -> Value {
        let result: Result<Value, any Error>
        do { result = .success(try await ledger.perform(body)) } catch { result = .failure(error) }
        await ledger.close()
        return try result.get()
    }

    /// Changes the library: between two steps of the run, or else with its lock.
    package func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        var pauses = 0
        while true {
            if let run { return try await run.cataloguer.perform(body) }
            do { return try body(LibraryStore(folder: folder, mode: .change)) } catch LibraryError.busy
                where pauses < Self.endingPauses
            {
                // A run that is just beginning has the library already, or another command has it for a moment.
                pauses += 1
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    // MARK: Working

    /// Works until `stop`; begins with what an earlier process left open.
    package func work() async {
        if (try? await readingLedger(else: false) { try $0.outbox.hasOpenJobs() }) == true { finishOpen() }
        while !isStopping {
            let count = signal.signalCount
            if waiting.isEmpty && !isWanted {
                await signal.wait(after: count, limit: .seconds(3600))
                continue
            }
            do {
                try await runOnce()
                problem = nil
            } catch {
                // Whatever it is, the ledger keeps what is open.
                problem = "\(error)"
                log.warning(.runFailed, [.message: "\(error)"])
                observer.batchesChanged()
                let count = signal.signalCount
                await signal.wait(after: count, limit: .seconds(10))
            }
        }
    }

    /// Takes a run that another command began with these requests, until `release`.
    package func adopt(_ run: LibraryRun, _ requests: [RunRequest]) { (self.run, submitted) = (run, requests) }

    /// The run is over.
    package func release() { run = nil }

    /// Ends the run in hand.
    package func stop() {
        isStopping = true
        run?.stop()
        signal.signal()
    }

    private func runOnce() async throws {
        observer.began()
        while ledgerUsers > 0 { try await Task.sleep(for: .milliseconds(10)) }
        isOpening = true
        defer { isOpening = false }
        let run = try await LibraryRun.open(folder, settings, log: log, observer: observer)
        (self.run, submitted, isWanted, isOpening) = (run, [], false, false)
        let requests = waiting
        waiting = []
        for request in requests where run.submit(request) { submitted.append(request) }
        if isStopping { run.stop() }
        let ending = Task { await endWhenIdle(run) }
        let result: Result<Void, any Error>
        do { result = .success(try await run.work()) } catch { result = .failure(error) }
        ending.cancel()
        self.run = nil
        observer.batchesChanged()
        if case .failure = result {
            // What was not planned yet is asked for again, and what is open is finished.
            waiting = submitted.dropFirst(observer.planCount) + waiting
            isWanted = true
        }
        try result.get()
    }

    /// Lets the run end once all that was asked for is planned and nothing was open for two seconds.
    package func endWhenIdle(_ run: LibraryRun) async {
        var idleSince: ContinuousClock.Instant?
        while !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(250))
            let isPlanned = expectedCount == 0 && observer.planCount >= submitted.count
            let isOpen = (try? await run.ledger.perform { try $0.outbox.hasOpenJobs() }) ?? true
            guard isPlanned, !isOpen else {
                idleSince = nil
                continue
            }
            let since = idleSince ?? .now
            idleSince = since
            guard ContinuousClock.now - since > .seconds(2) else { continue }
            // From here on the next run takes what is asked for.
            return run.finish()
        }
    }
}
