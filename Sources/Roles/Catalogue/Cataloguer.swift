public import Broker
internal import Clock
internal import Jobs
public import Library
internal import Manifests
internal import Records
public import Storage
internal import Synchronization
public import Telemetry
internal import Concurrency

/// The role that keeps the library: its one writer. Reads the manifests topic from offsets it keeps in the library
/// itself, so that a manifest and the word that it was read are one transaction.
///
/// A manifest that was delivered again changes nothing; one that was lost with its topic can come again at any time.
public actor Cataloguer {
    private let executor = ThreadExecutor(name: "cataloguer")
    /// SQLite and links block: not on Swift's cooperative pool.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let transport: any Transport
    private let folder: String
    private let roots: Roots
    private let settings: CatalogueSettings
    private let log: Logger
    private let onStep: @Sendable (MergeStep) throws -> Void
    private let stopping = Atomic(false)
    /// Rings when `stop` was called.
    private let bell = WakeSignal()
    private let opened: LibraryHandoff?
    private var store: LibraryStore?
    private var merger: BatchMerger?
    private var totals = CatalogueTotals()
    private var consumed: [Int32: Int64] = [:]

    /// - Parameters:
    ///   - library: the library's folder; made where there is none.
    ///   - opened: the same library, where its opening was begun before.
    ///   - roots: the sources' roots, for `--originals move`; a root that is missing only delays the removal.
    public init(
        transport: any Transport, library folder: String, opened: LibraryHandoff? = nil, roots: Roots,
        settings: CatalogueSettings = .init(), log: Logger = .silent
    ) {
        self.init(transport, folder, opened, roots, settings, log) { _ in }
    }

    init(
        _ transport: any Transport, _ folder: String, _ opened: LibraryHandoff? = nil, _ roots: Roots,
        _ settings: CatalogueSettings, _ log: Logger, onStep: @escaping @Sendable (MergeStep) throws -> Void
    ) {
        self.transport = transport
        self.folder = folder
        self.roots = roots
        self.settings = settings
        self.log = log
        self.onStep = onStep
        self.opened = opened
    }

    /// Opens the library, takes its lock, and finishes what an earlier run left undone. `run` does so by itself; a
    /// caller who wants to hear of a locked, damaged or newer library before anything else calls it first.
    ///
    /// - Throws: `LibraryError`, `BrokerError`.
    public func open() async throws {
        guard merger == nil else { return }
        merger = try await meetBroker(try openStore())
    }

    /// As `open`, without the broker, which a service waits for.
    public func openLibrary() throws { _ = try openStore() }

    private func openStore() throws -> LibraryStore {
        if let store { return store }
        let open = try opened?.take() ?? LibraryStore(folder: folder, mode: .write)
        store = open
        return open
    }

    /// Turns to the broker there is: another one than before has manifests of its own.
    private func meetBroker(_ store: LibraryStore) async throws -> BatchMerger {
        // A broker that does not answer is not waited for by a cataloguer that is to end.
        let cluster = try await bell.interrupting(beyond: 0) { [transport, settings] in
            try await transport.create(settings.topics)
            return try await transport.clusterID()
        }
        let topic = ConsumedTopic(cluster: cluster, topic: settings.topic)
        consumed = try await offsets(of: topic, in: store)
        let merger = BatchMerger(store: store, topic: topic, roots: roots, log: log, onStep: onStep)
        try merger.recover()
        return merger
    }

    /// Merges manifests as they come, until `stop` or the task's cancellation; what was begun is finished.
    ///
    /// - Parameter each: gets every batch when it is durable. After a kill some manifests may never be handed out, and
    ///   after a replay some again.
    /// - Throws: `LibraryError` where the library cannot be written (a full disk): nothing is lost, the next run reads
    ///   the same manifests again. `BrokerError` where the broker is unusable. What `each` throws.
    @discardableResult
    public func run(_ each: @Sendable (BatchMergeResult) async throws -> Void = { _ in }) async throws
        -> CatalogueTotals
    {
        let store = try openStore()
        repeat {
            do {
                let present = if let merger { merger } else { try await meetBroker(store) }
                merger = present
                try await work(present, each)
            } catch {
                guard settings.isService, Self.mayPass(error) else { throw error }
                // From the library's own offsets again, and from the broker there is then.
                merger = nil
                tell(error)
                await rest()
            }
        } while goesOn && settings.isService
        return totals
    }

    private func work(
        _ merger: BatchMerger, _ each: @Sendable (BatchMergeResult) async throws -> Void
    ) async throws {
        try await transport.withReader(topic: settings.topic, from: consumed) { reader in
            try await merge(from: reader, into: merger, each)
        }
        try merger.rest()
    }

    private static func mayPass(_ error: any Error) -> Bool {
        switch error {
        case let error as BrokerError: error.isPassing
        case let error as LibraryError: error.kind == .diskFull || error.kind == .unavailable
        default: false
        }
    }

    /// Brokers come and go; a library that cannot be written is for somebody to look at.
    private func tell(_ error: any Error) {
        if error is BrokerError {
            log.warning(.brokerUnavailable, [.message: "\(error)"])
        } else {
            log.error(.storageUnavailable, [.message: "\(error)"])
        }
    }

    /// A pause that `stop` cuts short.
    private func rest() async {
        let rings = bell.rings
        guard goesOn else { return }
        let pause = settings.pause * 2
        try? await bell.interrupting(beyond: rings) { try await Task.sleep(for: pause) }
    }

    /// Ends `run` after the batch in hand.
    public nonisolated func stop() {
        stopping.store(true, ordering: .releasing)
        bell.ring()
    }

    /// After `run`: leaves the library's database at rest, which takes the disk a while, and gives its lock back.
    public func close() {
        merger = nil
        store = nil
    }

    /// How far it is, and how far the topic.
    public func progress() async throws -> CatalogueProgress {
        let written = try await transport.watermarks(topic: settings.topic).mapValues(\.upperBound)
        return CatalogueProgress(consumed: consumed, written: written)
    }

    private var goesOn: Bool { !stopping.load(ordering: .acquiring) && !Task.isCancelled }

    /// Merges a batch while the next one is read.
    private func merge(
        from reader: any Reader, into merger: BatchMerger, _ each: @Sendable (BatchMergeResult) async throws -> Void
    ) async throws {
        var coming = BatchPrefetch(reader, settings)
        let result: Result<Void, any Error>
        do {
            while true {
                let rings = bell.rings
                guard goesOn else { break }
                let batch = try await next(coming, beyond: rings)
                coming = BatchPrefetch(reader, settings)
                guard let batch else { continue }
                if batch.count > 0 {
                    try await each(try await merge(batch, into: merger))
                } else {
                    try merger.rest()
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await coming.cancel()
        try result.get()
    }

    /// Nil after a pause, where the broker was out of reach.
    private func next(_ coming: BatchPrefetch, beyond rings: UInt64) async throws -> ManifestBatch? {
        do {
            return try await bell.interrupting(beyond: rings) { try await coming.batch }
        } catch let error as BrokerError {
            guard case .unavailable(let why) = error else { throw error }
            log.warning(.brokerUnavailable, [.topic: "\(settings.topic)", .message: "\(why)"])
            try? await Task.sleep(for: settings.pause)
            return nil
        }
    }

    private func merge(_ batch: ManifestBatch, into merger: BatchMerger) async throws -> BatchMergeResult {
        for (delivery, error) in batch.refused { try await park(delivery, error) }
        let next = consumed.merging(batch.next) { $1 }
        let watch = Stopwatch()
        let merged = try merger.merge(batch.manifests, next: next)
        let time = watch.elapsed
        consumed = next
        totals.manifests += batch.count
        for manifest in merged { totals.count(manifest) }
        return BatchMergeResult(manifests: merged, time: time)
    }
}

extension Cataloguer {
    /// Where to go on. A topic that is shorter than what was consumed of it was made anew: from its beginning then.
    private func offsets(of topic: ConsumedTopic, in store: LibraryStore) async throws -> [Int32: Int64] {
        var offsets = try store.offsets(of: topic)
        for (partition, range) in try await transport.watermarks(topic: topic.topic) {
            guard let next = offsets[partition], next > range.upperBound else { continue }
            try store.transaction { try store.forgetOffset(of: topic, partition: partition) }
            offsets[partition] = nil
        }
        return offsets
    }

    /// A record that is no manifest becomes a dead letter, before the offset passes it.
    private func park(_ delivery: Delivery, _ error: RecordError) async throws {
        let position = delivery.position
        log.error(
            .recordRefused,
            [
                .topic: "\(position.partition.topic)", .partition: LogValue(position.partition.partition),
                .offset: LogValue(position.offset), .message: "\(error)",
            ])
        let letter = DeadLetter(
            topic: position.partition.topic, partition: position.partition.partition, offset: position.offset,
            key: delivery.record.key, value: delivery.record.value, failure: error.failure, attempts: 0,
            worker: "cataloguer", parkedMilliseconds: WallClock.milliseconds)
        let record = Record(key: letter.key, value: letter.encoded(), headers: delivery.record.headers())
        try await transport.withProducer { _ = try await $0.send([record], to: Topics.deadLetter) }
        totals.unreadable += 1
    }
}
