public import Broker
internal import Clock
internal import Concurrency
internal import Digest
public import Jobs
public import Manifests
internal import Records
public import Storage
internal import Synchronization
public import Telemetry

/// Result of exporting one job. It is durable.
public struct ExportedJob: Sendable {
    /// The job's manifest.
    public let manifest: Manifest
    /// One for each rendition; empty for a failed job.
    public let placements: [PhotoPlacement]

    /// Whether a photo must be rendered again.
    public var isLost: Bool { placements.contains(.lost) }

    /// The coordinator sends a refused job again.
    fileprivate var result: JobResult {
        let message =
            "The photo's file was already used for a copy of the same RAW. Rawmill renders it again."
        return JobResult(of: manifest, refusal: isLost ? Refusal(code: "missing-file", message: message) : nil)
    }
}

/// The role that exports photos to a user's folder when there is no library. It replaces the cataloguer: it reads the
/// manifests and reports the results.
public actor FolderExporter {
    private let executor = ThreadExecutor(name: "exporter")
    /// A separate thread: SQLite and files block, which Swift's cooperative pool must not.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        // The actor keeps the executor as long as it lives.
        unsafe executor.asUnownedSerialExecutor()
    }

    private let transport: any Transport
    private let state: Root
    private let folder: Root
    private let log: Logger
    private let isStopping = Atomic(false)
    private let stopSignal = WakeSignal()

    private var database: ExportDatabase?
    private var cluster = ""
    private var consumed: [Int32: Int64] = [:]

    private static let batchSize = 200

    /// - Parameters:
    ///   - folder: the folder of the user's photos.
    ///   - state: the folder of the worker's renditions and the export's database.
    public init(transport: any Transport, folder: Root, state: Root, log: Logger = .silent) {
        self.transport = transport
        self.folder = folder
        self.state = state
        self.log = log
    }

    // MARK: Opening and closing

    /// Opens the export's database.
    ///
    /// - Throws: `DatabaseError`, `BrokerError`.
    public func open() async throws {
        let database = try ExportDatabase(path: "\(state.path)/\(LibraryLayout.hidden)/\(ExportDatabase.fileName)")
        cluster = try await transport.clusterID()
        consumed = try database.offsets(of: cluster)
        self.database = database
    }

    /// Stores how a batch's photos are placed. Call it before the batch's first job is accepted.
    public func register(_ order: ExportOrder, for batch: BatchID) throws {
        guard let database else { return }
        try database.transaction { try database.insert(order, of: batch) }
    }

    /// Jobs whose photos are no longer in the folder, or never arrived there.
    public func missingJobs() async throws -> Set<JobID> {
        guard let database else { return [] }
        let isCaughtUp = try await lag() == 0
        var missing: Set<JobID> = []
        try database.each { photo in
            switch photo.state {
            case .missing: missing.insert(photo.frame.job)
            case .claimed, .replacing: if isCaughtUp { missing.insert(photo.frame.job) }
            case .placed, .skipped:
                if (try? folder.factsIfPresent(of: photo.path)) == .some(nil) { missing.insert(photo.frame.job) }
            }
        }
        return missing
    }

    /// Closes the database. If no job is open (`isDone`), also removes the workers' files in the state folder.
    public func close(isDone: Bool) throws {
        database = nil
        guard isDone else { return }
        for name in [LibraryLayout.objects, "\(LibraryLayout.hidden)/previews"] {
            try state.removeTree(Array(name.utf8))
        }
    }

    // MARK: Running

    /// Ends `run` after the current batch.
    public nonisolated func stop() {
        isStopping.store(true, ordering: .releasing)
        stopSignal.signal()
    }

    /// Places photos as manifests arrive, until `stop` is called or the task is cancelled.
    ///
    /// - Parameter onBatch: called with every durable batch.
    /// - Throws: `StorageError` if the folder cannot be written, for example on a full disk; the next run reads the
    ///   same manifests again.
    public func run(_ onBatch: @Sendable ([ExportedJob]) async throws -> Void) async throws {
        try await transport.withProducer { producer in
            if !consumed.isEmpty { try await announce([], answered: consumed, with: producer) }
            try await placeAll(with: producer, onBatch)
        }
    }

    private func placeAll(
        with producer: any Producer, _ onBatch: @Sendable ([ExportedJob]) async throws -> Void
    ) async throws {
        try await transport.withReader(topic: Topics.manifests, from: consumed) { reader in
            while !isStopping.load(ordering: .acquiring), !Task.isCancelled {
                let signalCount = stopSignal.signalCount
                let deliveries = try await stopSignal.interrupting(after: signalCount) {
                    try await reader.poll(limit: Self.batchSize, wait: .milliseconds(200))
                }
                if !deliveries.isEmpty { try await onBatch(try await place(deliveries, telling: producer)) }
            }
        }
    }

    /// Number of unread manifests.
    public func lag() async throws -> Int64 {
        let written = try await transport.watermarks(topic: Topics.manifests)
        return written.reduce(0) { sum, partition in
            sum + max(0, partition.value.upperBound - (consumed[partition.key] ?? partition.value.lowerBound))
        }
    }

    /// Places the photos of manifests, reports to the coordinator, and then stores the offsets. After a crash the same
    /// steps are repeated, which changes nothing.
    private func place(_ deliveries: [Delivery], telling producer: any Producer) async throws -> [ExportedJob] {
        guard let database else { return [] }
        var next = consumed
        var manifests: [Manifest] = []
        for delivery in deliveries {
            let position = delivery.position
            next[position.partition.partition] = position.offset + 1
            do throws(RecordError) {
                manifests.append(try Manifest(record: delivery.record.value ?? []))
            } catch {
                log.error(
                    .recordRefused,
                    [
                        .topic: "\(position.partition.topic)", .partition: LogValue(position.partition.partition),
                        .offset: LogValue(position.offset), .message: "\(error)",
                    ])
            }
        }
        let jobs = try place(manifests, in: database)
        try await announce(jobs.map(\.result), answered: next, with: producer)
        try database.transaction { try database.note(next, of: cluster) }
        consumed = next
        return jobs
    }

    /// Publishes results, and returns when they are durable. The ledger counts only these.
    private func announce(
        _ results: [JobResult], answered: [Int32: Int64], with producer: any Producer
    ) async throws {
        let results = JobResults(results: results, cluster: cluster, answered: answered, highestPrecedence: 0)
        _ = try await producer.send(results.records().map { Record(key: [], value: $0) }, to: Topics.results)
    }

    private func place(_ manifests: [Manifest], in database: ExportDatabase) throws -> [ExportedJob] {
        let placer = ExportPlacer(database: database, folder: folder, state: state)
        var orders: [BatchID: ExportOrder?] = [:]
        var tasks: [[ExportPlacer.Task]] = []
        for manifest in manifests {
            if orders[manifest.batch] == nil { orders[manifest.batch] = try database.order(of: manifest.batch) }
            tasks.append(Self.tasks(manifest, orders[manifest.batch]?.flatMap { $0 } ?? Self.fallback))
        }
        let steps = try database.transaction { try tasks.map { try $0.map(placer.reserve) } }
        var copies: [SHA256Value: [UInt8]] = [:]
        var placements: [[PhotoPlacement]] = []
        for (tasks, steps) in zip(tasks, steps) {
            placements.append(
                try zip(tasks, steps).map { task, step in
                    let placement = try placer.perform(step, task, copies: copies)
                    if case .placed(let path) = placement { copies[task.digest] = path }
                    return placement
                })
        }
        try database.transaction {
            for (tasks, placements) in zip(tasks, placements) {
                for (task, placement) in zip(tasks, placements) { try placer.note(placement, task) }
            }
        }
        for (tasks, placements) in zip(tasks, placements) {
            for (task, placement) in zip(tasks, placements) { placer.removeLeftovers(task, placement) }
        }
        return zip(manifests, placements).map { ExportedJob(manifest: $0, placements: $1) }
    }

    private static func tasks(_ manifest: Manifest, _ order: ExportOrder) -> [ExportPlacer.Task] {
        guard case .completed(let renditions) = manifest.outcome else { return [] }
        return renditions.map { rendition in
            let name = PhotoName(
                order.template, rendition, of: manifest.source, dir: order.dir(of: manifest.source.raw.file),
                label: order.label)
            return ExportPlacer.Task(
                manifest: manifest, rendition: rendition, name: name, conflict: order.conflict)
        }
    }

    /// For a batch whose order is missing, which only a damaged state folder causes.
    private static let fallback = ExportOrder(template: .usual, conflict: .rename, label: "", folders: [])
}
