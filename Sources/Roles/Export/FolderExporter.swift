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

/// What an export did with the photos of one job. All of it is durable.
public struct ExportedJob: Sendable {
    /// How the job ended.
    public let manifest: Manifest
    /// One for each rendition; empty for a job that failed.
    public let placements: [PhotoPlacement]

    /// Whether a photo of it has to be made again.
    public var isLost: Bool { placements.contains(.lost) }

    /// The coordinator hands a refused job out again.
    fileprivate var result: JobResult {
        let message =
            "Its photo was gone before it could be placed, because that of a copy of the RAW is the same file."
        return JobResult(of: manifest, refusal: isLost ? Refusal(code: "missing-file", message: message) : nil)
    }
}

/// The role that puts photos into a person's folder, where no library is kept. It stands in the cataloguer's place: it
/// reads the manifests, and a photo is done when it says so.
public actor FolderExporter {
    private let executor = ThreadExecutor(name: "exporter")
    /// A thread of its own: SQLite and files block, which Swift's cooperative pool must not.
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
    /// By partition, the offset of the next manifest.
    private var consumed: [Int32: Int64] = [:]

    private static let batchSize = 200

    /// - Parameters:
    ///   - transport: the broker with the manifests.
    ///   - folder: the folder of people's photos.
    ///   - state: the folder that the worker's renditions are in, and the export's own memory.
    ///   - log: gets records that cannot be read.
    public init(transport: any Transport, folder: Root, state: Root, log: Logger = .silent) {
        self.transport = transport
        self.folder = folder
        self.state = state
        self.log = log
    }

    // MARK: Opening and closing

    /// Opens the export's memory.
    ///
    /// - Throws: `DatabaseError`, `BrokerError`.
    public func open() async throws {
        let database = try ExportDatabase(path: "\(state.path)/\(LibraryLayout.hidden)/\(ExportDatabase.fileName)")
        cluster = try await transport.clusterID()
        consumed = try database.offsets(of: cluster)
        self.database = database
    }

    /// Keeps how a batch's photos are placed, before its first job is accepted.
    public func register(_ order: ExportOrder, for batch: BatchID) throws {
        guard let database else { return }
        try database.transaction { try database.insert(order, of: batch) }
    }

    /// The jobs whose photos are not in the folder any more, or never came there.
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

    /// Closes the database.
    ///
    /// - Parameter isDone: no job is open. Then everything that workers left in the state folder is removed.
    public func close(isDone: Bool) throws {
        database = nil
        guard isDone else { return }
        for name in [LibraryLayout.objects, "\(LibraryLayout.hidden)/previews"] {
            try state.removeTree(Array(name.utf8))
        }
    }

    // MARK: Running

    /// Ends `run` after the batch in hand.
    public nonisolated func stop() {
        isStopping.store(true, ordering: .releasing)
        stopSignal.signal()
    }

    /// Places photos as manifests arrive, until `stop` is called or the task is cancelled.
    ///
    /// - Parameter onBatch: called with every batch when it is durable.
    /// - Throws: `StorageError` where the folder cannot be written, for example on a full disk. Nothing is lost: the
    ///   next run reads the same manifests again.
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

    /// Manifests that are written and not read yet.
    public func lag() async throws -> Int64 {
        let written = try await transport.watermarks(topic: Topics.manifests)
        return written.reduce(0) { sum, partition in
            sum + max(0, partition.value.upperBound - (consumed[partition.key] ?? partition.value.lowerBound))
        }
    }

    /// Places the photos of manifests, then tells the coordinator, then notes how far it is. A process that dies in between
    /// does it once more, which changes nothing.
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

    /// Publishes results, and returns when they are durable: the ledger counts nothing else.
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

    /// For a batch whose order is gone, which only a damaged state folder causes.
    private static let fallback = ExportOrder(template: .usual, conflict: .rename, label: "", folders: [])
}
