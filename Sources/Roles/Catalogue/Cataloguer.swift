public import Broker
public import Clock
internal import Concurrency
internal import Jobs
internal import LibraryTables
internal import Manifests
public import PhotoTree
internal import Records
public import Storage
internal import Synchronization
public import Telemetry

/// The role that keeps the library: its only writer.
///
/// It stores its offsets in the manifests topic in the library, so that merging a manifest and advancing past it are
/// one transaction. A manifest that is delivered again changes nothing, and one that was lost with its topic can be
/// published again at any time.
public actor Cataloguer {
    private let executor = ThreadExecutor(name: "cataloguer")
    /// A separate thread: SQLite and links block, which Swift's cooperative pool must not.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    private let transport: any Transport
    private let folder: String
    private let roots: Roots
    private let settings: CatalogueSettings
    private let log: Logger
    private let onStep: @Sendable (MergeStep) throws -> Void
    private let handoff: LibraryHandoff?
    private let heartbeat: Heartbeat
    private let isStopping = Atomic(false)
    private let stopSignal = WakeSignal()

    private var store: LibraryStore?
    /// Nil before the broker is reached, and after an outage.
    private var merger: BatchMerger?
    private var totals = CatalogueTotals()
    private let outages: OutageLog
    /// Its partitions among those of all cataloguers that share the library.
    private var share = PartitionShare(number: 0, count: 1)
    /// Merged position in the manifests topic.
    private var consumed = StoredPosition(cluster: "")
    private let removals: RemovalIntake

    /// - Parameters:
    ///   - folder: the library's folder; created if missing.
    ///   - handoff: the library, if another task is already opening it.
    ///   - roots: the roots of the sources, for `--originals move`. A missing root only delays the removal.
    ///   - onWait: receives the reason when the cataloguer starts to wait for a writable library, and nil when the wait
    ///     ends.
    public init(
        transport: any Transport, library folder: String, opened handoff: LibraryHandoff? = nil, roots: Roots,
        settings: CatalogueSettings = .init(), log: Logger = .silent, heartbeat: Heartbeat = .init(),
        onWait: @escaping @Sendable (String?) -> Void = { _ in }
    ) {
        self.init(transport, folder, handoff, roots, settings, log, heartbeat, onWait: onWait) { _ in }
    }

    /// - Parameter onStep: called at each moment at which a cataloguer can die. An error that it throws ends `run`
    ///   there.
    init(
        _ transport: any Transport, _ folder: String, _ handoff: LibraryHandoff? = nil, _ roots: Roots,
        _ settings: CatalogueSettings, _ log: Logger, _ heartbeat: Heartbeat = .init(),
        onWait: @escaping @Sendable (String?) -> Void = { _ in },
        onStep: @escaping @Sendable (MergeStep) throws -> Void
    ) {
        self.transport = transport
        self.folder = folder
        self.handoff = handoff
        self.heartbeat = heartbeat
        removals = RemovalIntake(limit: settings.maxBatchCount, log: log)
        self.roots = roots
        self.settings = settings
        self.log = log
        outages = OutageLog(log, end: "The cataloguer goes on with its work.", onWait)
        self.onStep = onStep
    }

    // MARK: Opening and closing

    /// Opens the library, takes its lock, and finishes the work of an interrupted run. `run` does the same if
    /// necessary; call it to learn first whether a library is locked, damaged or newer.
    ///
    /// - Throws: `LibraryError`, `BrokerError`.
    public func open() async throws {
        guard merger == nil else { return }
        merger = try await connect(try openStore())
    }

    /// Opens the library and takes its lock without waiting for the broker. A service waits out a full disk or an
    /// unreachable server until `stop`.
    ///
    /// - Parameter make: makes a new library; called before each attempt.
    /// - Returns: false if `stop` was called first.
    /// - Throws: `LibraryError`.
    public func openLibrary(_ make: @Sendable () throws -> Void = {}) async throws -> Bool {
        while goesOn {
            do {
                try make()
                _ = try openStore()
                outages.ended()
                return true
            } catch let error as LibraryError where settings.isService && error.isPassing {
                outages.write(.library(error))
                await pause()
            }
        }
        return false
    }

    /// Ends `run` after the current batch.
    public nonisolated func stop() {
        isStopping.store(true, ordering: .releasing)
        stopSignal.signal()
    }

    /// Closes the database, which may take a while, and releases the lock. Call it after `run`.
    public func close() {
        merger = nil
        store = nil
    }

    /// Uses the library between two steps of the cataloguer. Changes need their own transaction.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    public func perform<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) throws -> Value {
        try body(try openStore())
    }

    private func openStore() throws -> LibraryStore {
        if let store { return store }
        let mode: LibraryMode = settings.isShared ? .share : .write
        let opened = try handoff?.take() ?? LibraryStore(folder: folder, mode: mode)
        store = opened
        return opened
    }

    /// Connects to the broker. Manifests of a different broker are read from the beginning.
    private func connect(_ store: LibraryStore) async throws -> BatchMerger {
        // `stop` interrupts the wait for a broker that does not respond.
        let identity = try store.identity().map(\.description)
        let cluster = try await stopSignal.interrupting(after: 0) { [transport, settings, folder] in
            try await transport.create(settings.topics)
            if let identity {
                try await transport.claim(for: identity, in: folder, identityFile: LibraryLayout.identity)
            }
            return try await transport.clusterID()
        }
        let topic = ConsumedTopic(cluster: cluster, topic: settings.topic)
        share = try PartitionShare(store)
        consumed = try await transport.position(in: topic, of: store)
        removals.consumed = try await transport.position(
            in: ConsumedTopic(cluster: cluster, topic: Topics.removals), of: store)
        beat(extra: Self.maxStepTime)
        let merger = BatchMerger(store: store, topic: topic, roots: roots, log: log) { [heartbeat, onStep] step in
            heartbeat.beat(Self.loop, extra: Self.maxStepTime)
            try onStep(step)
        }
        try merger.recover()
        return merger
    }

    // MARK: Running

    /// Merges manifests as they arrive, until `stop` is called or the task is cancelled. A started batch is finished.
    ///
    /// - Parameter onBatch: called with every durable batch. A crash may skip manifests, and a replay may repeat some.
    /// - Returns: totals since the cataloguer was created.
    /// - Throws: `LibraryError` if the library cannot be written, for example on a full disk; the next run reads the
    ///   same manifests again. `BrokerError` if the broker is unusable. What `onBatch` throws.
    @discardableResult
    public func run(
        _ onBatch: @Sendable (BatchMergeResult) async throws -> Void = { _ in }
    ) async throws -> CatalogueTotals {
        let store = try openStore()
        defer { heartbeat.rest(Self.loop) }
        repeat {
            do {
                beat(extra: Self.connectTime)
                let connected = if let merger { merger } else { try await connect(store) }
                merger = connected
                try await mergeAll(into: connected, onBatch)
            } catch is ShareChanged {
                merger = nil
            } catch {
                guard settings.isService, let outage = CatalogueOutage(error) else { throw error }
                // The next attempt starts at the library's own offsets, with the broker it then finds.
                merger = nil
                outages.write(outage)
                await pause()
            }
        } while goesOn && settings.isService
        return totals
    }

    private var goesOn: Bool { !isStopping.load(ordering: .acquiring) && !Task.isCancelled }

    /// Merges each batch while the next one is read, until `stop` or an error.
    private func mergeAll(
        into merger: BatchMerger, _ onBatch: @Sendable (BatchMergeResult) async throws -> Void
    ) async throws {
        try await transport.withProducer { producer in
            let announcer = ResultAnnouncer(producer)
            try await publishResults(of: merger, with: announcer)
            let own = consumed.next.filter { share.has($0.key) }
            if !own.isEmpty { try await announcer.send(try merger.progress(own)) }
            try await transport.withReader(topic: Topics.removals, continuing: removals.consumed) { confirmations in
                try await transport.withReader(topic: settings.topic, continuing: consumed) { reader in
                    try await mergeAll(from: reader, and: confirmations, into: merger, announcer, onBatch)
                }
            }
        }
        try merger.removeNotes()
    }

    /// Publishes the library's results that are not known to be in the results topic.
    private func publishResults(of merger: BatchMerger, with announcer: ResultAnnouncer) async throws {
        while let last = try await announcer.send(try merger.unpublishedResults(limit: 200)) {
            merger.resultsPublished(through: last)
            beat()
            try onStep(.resultsPublished)
        }
    }

    private func mergeAll(
        from reader: any Reader, and confirmations: any Reader, into merger: BatchMerger, _ announcer: ResultAnnouncer,
        _ onBatch: @Sendable (BatchMergeResult) async throws -> Void
    ) async throws {
        var prefetch = BatchPrefetch(reader, settings)
        let result: Result<Void, any Error>
        do {
            while true {
                let signalCount = stopSignal.signalCount
                guard goesOn else { break }
                beat()
                let read = try await next(prefetch, after: signalCount)
                prefetch = BatchPrefetch(reader, settings)
                if let store, try PartitionShare(store) != share { throw ShareChanged() }
                if share.isFirst { try await removals.take(from: confirmations, with: merger) }
                guard let batch = read?.part(of: share) else { continue }
                if batch.count > 0 {
                    let result = try await merge(batch, into: merger, announcer)
                    beat()
                    outages.ended()
                    try await onBatch(result)
                } else {
                    if share.isFirst { try merger.removePostponed() }
                    try merger.removeNotes()
                    // Records that could not be merged are read again and may not have arrived yet.
                    if outages.isWaiting, await isCaughtUp(unless: signalCount) { outages.ended() }
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await prefetch.cancel()
        try result.get()
    }

    /// The next batch; nil after a pause because the broker is unreachable.
    private func next(_ prefetch: BatchPrefetch, after signalCount: UInt64) async throws -> ManifestBatch? {
        do {
            return try await stopSignal.interrupting(after: signalCount) { try await prefetch.batch }
        } catch let error as BrokerError {
            guard case .unavailable = error else { throw error }
            outages.write(.broker(error))
            try? await Task.sleep(for: settings.retryPause)
            return nil
        }
    }

    private func merge(
        _ batch: ManifestBatch, into merger: BatchMerger, _ announcer: ResultAnnouncer
    ) async throws -> BatchMergeResult {
        for record in batch.unreadable {
            beat()
            try await record.park(over: transport, log)
            totals.unreadable += 1
        }
        let next = consumed.next.filter { share.has($0.key) }.merging(batch.next) { $1 }
        let watch = Stopwatch()
        let results = try merger.merge(batch.manifests, next: next, known: batch.known)
        let time = watch.elapsed
        try await publishResults(of: merger, with: announcer)
        consumed.next.merge(next) { $1 }
        totals.manifests += batch.count
        for result in results { totals.count(result) }
        return BatchMergeResult(manifests: results, time: time)
    }

    // MARK: Progress of the loop

    private static let loop = "merge"
    /// A photo's links, or reading a large RAW's copy again on slow storage.
    private static let maxStepTime = Duration.seconds(600)
    /// Several requests, each of which may wait for the cluster.
    private static let connectTime = Duration.seconds(180)

    private func beat(extra: Duration = .zero) { heartbeat.beat(Self.loop, extra: extra) }

    private func pause() async {
        let signalCount = stopSignal.signalCount
        guard goesOn else { return }
        let pause = settings.retryPause * 2
        try? await stopSignal.interrupting(after: signalCount) { try await Task.sleep(for: pause) }
    }

    // MARK: Progress

    /// Unread records of the removals topic.
    ///
    /// - Throws: `BrokerError`.
    public func unreadRemovals() async throws -> Int64 {
        let written = try await transport.watermarks(topic: Topics.removals)
        return removals.unread(of: written)
    }

    private func isCaughtUp(unless signalCount: UInt64) async -> Bool {
        (try? await stopSignal.interrupting(after: signalCount) { try await self.progress().isCaughtUp }) == true
    }

    /// Positions of the cataloguer and of the topic.
    ///
    /// - Throws: `BrokerError`.
    public func progress() async throws -> CatalogueProgress {
        let written = try await transport.watermarks(topic: settings.topic).mapValues(\.upperBound)
        return CatalogueProgress(
            consumed: consumed.next.filter { share.has($0.key) }, written: written.filter { share.has($0.key) })
    }
}
