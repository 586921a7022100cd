internal import Broker
internal import Manifests

/// Prepares the broker for the parts of a service. Each part calls it at its start and after every outage, because the
/// cluster may have been replaced. Concurrent calls share one handshake.
actor BrokerHandshake {
    /// Time for its requests and those that follow it, each of which may wait for the cluster.
    static let maxTime = Duration.seconds(300)

    private let ledger: Ledger
    private let transport: any Transport
    private let topics: [Topic]
    private let settings: RunSettings
    private let library: String
    private var running: Task<Void, any Error>?

    init(ledger: Ledger, transport: any Transport, library: String, topics: [Topic], settings: RunSettings) {
        self.library = library
        self.ledger = ledger
        self.transport = transport
        self.topics = topics
        self.settings = settings
    }

    /// Creates missing topics, claims them for the library, and adapts the ledger to the cluster. Throws
    /// `BrokerError.broken` if the topics belong to another library.
    func perform() async throws {
        if let running { return try await running.value }
        let task = Task { [ledger, transport, library, topics, settings] in
            try await transport.create(topics)
            if let identity = settings.libraryIdentity {
                try await transport.claim(for: identity, in: library, identityFile: LibraryLayout.identity)
            }
            try await Reconciler(ledger: ledger, transport: transport, settings: settings).adoptCluster()
        }
        running = task
        defer { running = nil }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
