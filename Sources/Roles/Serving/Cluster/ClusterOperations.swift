internal import Broker
internal import Clock
internal import ClusterControl
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Processes
internal import Records
internal import Revisions
internal import Runs
internal import Selection
internal import Storage
internal import WebService

/// A cluster behind the page: shows the reports of its roles, and sends orders to its coordinator.
final class ClusterOperations: Operations {
    let figures: ThroughputStatistics
    private let follower: ClusterFollower
    private let sender: ControlSender
    private let folder: String
    private let writer = ShortLibraryWriter()

    /// The longest wait for the coordinator to execute an order.
    private static let patience = Duration.seconds(10)

    /// - Parameters:
    ///   - watcher: sends photos to the pages.
    ///   - readers: readers of the cluster's library.
    init(
        _ transport: any Transport, watcher: OperationsObserver, readers: LibraryReaders, folder: String,
        events: EventHub
    ) {
        figures = watcher.figures
        sender = ControlSender(transport)
        self.folder = folder
        follower = ClusterFollower(transport) { manifest in
            watcher.figures.ended(manifest, Self.timings(of: manifest))
            Task {
                let photos = try? await readers.read { try Self.photos(of: manifest, $0) }
                watcher.finished(
                    FinishedJob(manifest: manifest, photos: (photos ?? []).map { Array("\(folder)/".utf8) + $0 }))
            }
        } onStatus: {
            events.send("batches", "{}", isKept: false)
        }
    }

    private static func timings(of manifest: Manifest) -> [StageTiming] {
        guard case .completed(let renditions) = manifest.outcome else { return [] }
        return renditions.first?.timings ?? []
    }

    private static func photos(of manifest: Manifest, _ store: LibraryStore) throws -> [[UInt8]] {
        guard case .completed(let renditions) = manifest.outcome else { return [] }
        let reviser = PhotoReviser(store: store)
        return try renditions.compactMap {
            try reviser.photos([.path(LibraryLayout.photo($0.key))]).first.map { Array($0.path.bytes) }
        }
    }

    func work() async { await follower.run() }

    /// `work` ends with its task.
    func stop() {}

    // MARK: Showing

    func reading() async -> OperationsStatus {
        let cluster = follower.cluster
        var reading = OperationsStatus(problem: follower.problem, memoryBytes: CurrentProcess.residentBytes)
        let live = cluster.workers.filter { !Self.isSilent($0.atMilliseconds) }
        reading.inFlight = live.reduce(0) { $0 + $1.currentJobs.count }
        reading.slots = live.reduce(0) { $0 + Int($1.slots) }
        guard let coordinator = cluster.coordinator else {
            reading.problem = reading.problem ?? "No coordinator has reported yet. Start one: rawmill coordinator"
            return reading
        }
        let counts = coordinator.counts
        (reading.open, reading.failed) = (counts.open, counts.failed)
        (reading.completed, reading.degraded) = (counts.catalogued, counts.degraded)
        reading.isPaused = coordinator.isPaused
        if reading.problem == nil, Self.isSilent(coordinator.atMilliseconds) {
            let time = WallClock.text(milliseconds: coordinator.atMilliseconds)
            reading.problem = "The coordinator last reported at \(time)."
        }
        if live.isEmpty, counts.open > 0 { reading.notice = "No worker is running. Start one: rawmill worker" }
        if coordinator.unseen > 0 {
            reading.notice = "Workers cannot read \(coordinator.unseen) of the RAWs: check their mounts."
        }
        return reading
    }

    private static func isSilent(_ milliseconds: Int64) -> Bool {
        WallClock.elapsed(since: milliseconds, now: WallClock.milliseconds) > ClusterStatus.silentMilliseconds
    }

    func workers() async -> [WorkerSummary] {
        follower.cluster.workers.map { worker in
            let isGone = Self.isSilent(worker.atMilliseconds)
            let state = worker.state == "working" && worker.currentJobs.isEmpty ? "idle" : worker.state
            return WorkerSummary(
                name: worker.worker, node: worker.node.isEmpty ? worker.worker : worker.node,
                version: "engine \(worker.engine)",
                state: isGone ? "gone" : state, message: nil,
                slots: (0..<max(Int(worker.slots), worker.currentJobs.count)).map { number in
                    .init(
                        job: worker.currentJobs.indices.contains(number) ? worker.currentJobs[number] : nil,
                        file: worker.currentFiles.indices.contains(number) ? worker.currentFiles[number] : nil)
                },
                memoryBytes: worker.memoryBytes == 0 ? nil : worker.memoryBytes,
                completed: Int(clamping: worker.completed), failed: Int(clamping: worker.failed),
                lastHeartbeatMilliseconds: worker.atMilliseconds, canDrain: !isGone && worker.state != "draining")
        }
    }

    func batches() async throws -> [BatchSummary] {
        follower.cluster.batches.map { batch in
            BatchSummary(
                id: batch.batch, submittedMilliseconds: batch.submittedMilliseconds, look: batch.look,
                state: "\(batch.phase)", lane: batch.lane, counts: batch.counts, reused: Int(clamping: batch.reused),
                problem: batch.problem, settings: [])
        }
    }

    func failures(of batch: BatchID?) async throws -> [FailureSummary] {
        follower.failures.filter { batch == nil || $0.batch == batch }
            .sorted { ($0.file.root.text, $0.file.path) < ($1.file.root.text, $1.file.path) }
    }

    // MARK: Orders

    func change(_ batch: BatchID, _ action: BatchAction) async throws {
        guard follower.cluster[batch] != nil else { throw ServiceError.unknownBatch }
        switch action {
        case .pause: try await order(.pause(batch))
        case .resume: try await order(.resume(batch))
        case .cancel: try await order(.cancel(batch))
        case .retry: try await order(.retry(RetryFilter(batch: batch)))
        }
    }

    func drain(_ worker: String) async throws {
        guard follower.cluster.workers.contains(where: { $0.worker == worker }) else {
            throw ServiceError(404, "unknown-worker", "The worker does not exist.", remedy: "Load the page again.")
        }
        try await order(.drain(worker: worker))
    }

    func retry(_ filter: RetryFilter?, _ tried: [FailureSummary]) async throws -> Int {
        guard let filter else { return 0 }
        try await order(.retry(filter))
        return tried.count { $0.isRetryable }
    }

    /// Sends an order, and waits until the coordinator has executed it. A late coordinator still executes it.
    private func order(_ control: Control) async throws {
        let position: Position?
        do { position = try await sender.send(control) } catch let error as BrokerError {
            throw ServiceError(503, "cluster", "The cluster cannot be reached: \(error)", retryAfterSeconds: 5)
        }
        guard let position else { return }
        var effect = CommandEffect(of: position)
        let deadline = ContinuousClock.now + Self.patience
        while !effect.isCarriedOut, ContinuousClock.now < deadline {
            try Task.checkCancellation()
            let count = follower.changes.signalCount
            effect.update(follower.cluster)
            if effect.isCarriedOut { break }
            await follower.changes.waitUnlessCancelled(after: count, limit: deadline - .now)
        }
        guard effect.isCarriedOut else {
            throw ServiceError(
                503, "no-coordinator", "The order was sent, but no coordinator has carried it out yet.",
                remedy: "Start one: rawmill coordinator", retryAfterSeconds: 10)
        }
    }

    // MARK: New photos

    func develop(_ paths: [String], _ recipes: any RecipeSource) async throws {
        let recipes = try recipes.recipes(in: nil, recording: false)
        guard let first = recipes.first else { return }
        let sources = SourceParts(
            paths.compactMap { path in
                RelativePath(bytes: Array(path.utf8)).map { ConversionOrder.Location(root: .library, path: $0) }
            })
        let order = ConversionOrder(
            sources: sources.inline, sourceParts: UInt32(sources.parts.count), recipe: first.recipe,
            hasOwnLook: first.hasOwnLook, lane: .interactive, submittedMilliseconds: WallClock.milliseconds,
            further: recipes.dropFirst().map { .init(recipe: $0.recipe, hasOwnLook: $0.hasOwnLook) })
        try await sender.send(sources.controls(for: order.batch), then: .submit(order))
    }

    /// Empty, because they are in the coordinator's ledger. The page shows the looks of this machine.
    func ownLooks() async throws -> [LookReference] { [] }

    // MARK: The library

    static let cannotChange = ServiceError(
        409, "one-writer",
        "This cluster's library is in a file that only the cataloguer writes: revisions and albums cannot be changed here.",
        remedy: "Move its tables to a PostgreSQL server: rawmill library migrate --to postgresql://…")

    /// True if the library's tables are on a server. Otherwise the cataloguer is its only writer.
    var canChangeLibrary: Bool { (try? LibraryServer.address(of: folder)) ?? nil != nil }

    func withLibrary<Value: Sendable>(_ body: @Sendable (LibraryStore) throws -> Value) async throws -> Value {
        guard canChangeLibrary else { throw Self.cannotChange }
        return try await writer.change(folder, body)
    }

    // MARK: Edits

    func apply(_ edit: any RecipeEdit, to recipes: [Recipe]) async throws -> [EditedRecipe] {
        guard canChangeLibrary else { throw Self.cannotChange }
        return try recipes.map { recipe in
            EditedRecipe(
                recipe: try edit.applied(to: recipe, in: nil, recording: false),
                hasOwnLook: edit.hasOwnLook(for: recipe))
        }
    }

    func prepare(
        _ photos: [(photo: PhotoReviser.Photo, edited: EditedRecipe)]
    ) async throws -> @Sendable () async throws -> [FailureSummary] {
        let library = try Root(path: folder)
        let orders = UnpublishedOrders(
            try photos.map { photo, edited throws(ServiceError) in
                guard let raw = UnpublishedOrders.raw(of: photo, library: library) else {
                    throw ServiceError(
                        409, "raw-missing", "The RAW of \(photo.path) is missing from its folder.",
                        remedy: "Mount its disk, or move the RAW back.")
                }
                return (raw, edited)
            })
        return { [follower, sender] in
            do { try await orders.send(with: sender) } catch let error as BrokerError {
                throw ServiceError(503, "cluster", "The cluster cannot be reached: \(error)", retryAfterSeconds: 5)
            }
            while !Task.isCancelled {
                let count = follower.changes.signalCount
                let cluster = follower.cluster
                if orders.batches.allSatisfy({ cluster[$0]?.isOver ?? false }) { break }
                await follower.changes.waitUnlessCancelled(after: count)
            }
            return follower.failures.filter { orders.batches.contains($0.batch) && $0.group != "degraded" }
        }
    }
}
