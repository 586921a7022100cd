internal import Broker
internal import Concurrency
internal import Jobs
internal import Storage
internal import Telemetry

/// The parts of a worker from joining its consumer groups to leaving them.
struct WorkerSession: Sendable {
    private let context: WorkerContext
    private let transport: any Transport
    private let slots: [RenderSlot]
    private let consumers: QueueConsumers
    private let attempts: AttemptTracker
    private let publisher: ResultPublisher
    private let committer: Committer
    private let completer: DeliveryCompleter
    private let naming: RenditionNaming
    private let directives: DirectiveFollower
    private let heartbeat: HeartbeatPublisher
    private let storage: StorageMonitor
    private let identity: StorageIdentity
    private let prefetcher: SourcePrefetcher
    private let library: Root

    private var state: SharedWorkerState { context.state }

    /// Joins the groups and opens a producer. Throws `WorkerError.otherLibrary` if the topics belong to another library
    /// than this worker's.
    static func join(
        _ context: WorkerContext, transport: any Transport, library: Root, identity: StorageIdentity,
        slots: [RenderSlot], prefetcher: SourcePrefetcher
    ) async throws -> WorkerSession {
        if let owner = try await transport.owner() {
            identity.expectLibrary(owner)
            if identity.isOtherLibrary { throw WorkerError.otherLibrary(library.path, owner: owner) }
        }
        let consumers = try await QueueConsumers.join(context, transport: transport)
        return WorkerSession(
            context, transport: transport, library: library, identity: identity, slots: slots,
            prefetcher: prefetcher, consumers: consumers, producer: try await transport.producer(),
            clusterID: try await transport.clusterID())
    }

    private init(
        _ context: WorkerContext, transport: any Transport, library: Root, identity: StorageIdentity,
        slots: [RenderSlot], prefetcher: SourcePrefetcher, consumers: QueueConsumers, producer: any Producer,
        clusterID: String
    ) {
        self.prefetcher = prefetcher
        self.identity = identity
        self.library = library
        self.context = context
        self.transport = transport
        self.slots = slots
        self.consumers = consumers
        attempts = AttemptTracker(library: library, clusterID: clusterID, maxStarts: context.settings.maxStarts)
        publisher = ResultPublisher(context: context, producer: producer)
        committer = Committer(context: context, consumers: consumers, attempts: attempts)
        naming = RenditionNaming(library: library)
        completer = DeliveryCompleter(
            context: context, consumers: consumers, attempts: attempts, publisher: publisher, naming: naming)
        directives = DirectiveFollower(context: context, transport: transport, identity: identity)
        heartbeat = HeartbeatPublisher(
            context: context, producer: producer, directives: directives.directives, slots: slots)
        storage = StorageMonitor(
            context: context, library: library.path, identity: identity, attempts: attempts, naming: naming,
            slots: slots)
    }

    /// Prepares the first job: reads the coordinator's directives, and cleans up after earlier workers.
    func prepare() async {
        await directives.catchUp()
        // A worker with a wrong folder leaves its groups before it touches anything.
        if let problem = await slots[0].blocking({ [identity] in identity.problem() }) {
            state.change { $0.recordStorageLoss(problem) }
        } else {
            await useMountedLibrary()
            await removeOldMarkers()
        }
    }

    /// The library may have been mounted after its folder was opened: the open folder is then the mount point below.
    private func useMountedLibrary() async {
        let mounted = await slots[0].blocking { [library] () -> Root? in
            guard let root = try? Root(path: library.path), let id = try? root.facts(of: []).id,
                id != (try? library.facts(of: []).id)
            else { return nil }
            return root
        }
        guard let mounted else { return }
        attempts.reopen(mounted)
        naming.reopen(mounted)
        identity.opened(mounted)
        await retireAll()
    }

    /// Failing to remove old markers is harmless.
    private func removeOldMarkers() async {
        var committed: [TopicPartition: Int64] = [:]
        for queue in JobQueueKind.allCases {
            let group = WorkerGroup.name(topic: queue.topic)
            let offsets = (try? await transport.committed(group: group, topic: queue.topic)) ?? [:]
            for (partition, offset) in offsets {
                committed[TopicPartition(topic: queue.topic, partition: partition)] = offset
            }
        }
        let offsets = committed
        await slots[0].blocking { try? attempts.removeMarkers(committed: offsets) }
    }

    /// Runs all parts until the worker ends. Throws the first error of a part, after the others have drained.
    func serve() async throws {
        try await withThrowingTaskGroup(of: Void.self) { parts in
            for consumer in consumers.all {
                let puller = JobPuller(
                    context: context, consumer: consumer, identity: identity, attempts: attempts, publisher: publisher,
                    prefetcher: prefetcher)
                parts.addTask { try await puller.run() }
            }
            parts.addTask { try await committer.run() }
            parts.addTask { await storage.run() }
            parts.addTask { await heartbeat.run() }
            parts.addTask { await directives.run() }
            parts.addTask { try await runSlots() }
            try await waitForAll(&parts)
        }
    }

    /// The worker ends with its slots.
    private func runSlots() async throws {
        defer { state.change { $0.drain() } }
        let locks = PhotoLocks()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for slot in slots {
                let runner = SlotRunner(
                    context: context, slot: slot, identity: identity, attempts: attempts,
                    directives: directives.directives, completer: completer, prefetcher: prefetcher, locks: locks)
                group.addTask { try await runner.run() }
            }
            try await waitForAll(&group)
        }
    }

    /// Waits for all tasks. The first failure drains the others; its error is thrown when they have ended.
    private func waitForAll(_ group: inout ThrowingTaskGroup<Void, any Error>) async throws {
        while let result = await group.nextResult() {
            guard case .failure(let error) = result else { continue }
            state.change { $0.drain() }
            while await group.nextResult() != nil {}
            throw error
        }
    }

    /// Time limit of the last commit. Deliveries beyond it have markers and are not rendered again.
    private static let lastCommit = Duration.seconds(5)

    func leave() async {
        // Started early: the kernel needs a while to free the memory of a process that held a photo.
        async let retired: Void = retireAll()
        prefetcher.closeFiles()
        try? await withTimeLimit(Self.lastCommit) { [committer] in try await committer.commit() }
        await consumers.close()
        await heartbeat.sendTombstone()
        await publisher.close()
        await retired
    }

    private func retireAll() async {
        await withTaskGroup(of: Void.self) { group in
            for slot in slots { group.addTask { await slot.retire() } }
        }
    }
}
