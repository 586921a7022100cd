internal import Broker
internal import Clock
internal import ClusterControl
internal import Jobs
internal import Manifests
internal import Records
internal import Synchronization

/// Follows the records of a cluster's roles: the states of batches and workers, and the ends of jobs.
final class ClusterFollower: Sendable {
    private struct State {
        var cluster = ClusterStatus()
        var outcomes = JobOutcomes()
        /// The cause if topics cannot be read, as a sentence.
        var problem: String?
    }

    private let state = Mutex(State())
    /// Signalled after each read.
    let changes = WakeSignal()
    private let transport: any Transport
    private let onEnd: @Sendable (Manifest) -> Void
    private let onStatus: @Sendable () -> Void

    private static let wait = Duration.milliseconds(500)
    private static let limit = 1000

    /// - Parameters:
    ///   - onEnd: called with the manifest of each job that ends from now on, once the library has its photos.
    ///   - onStatus: called when a batch or worker changes.
    init(
        _ transport: any Transport, onEnd: @escaping @Sendable (Manifest) -> Void,
        onStatus: @escaping @Sendable () -> Void
    ) {
        self.transport = transport
        self.onEnd = onEnd
        self.onStatus = onStatus
    }

    var cluster: ClusterStatus { state.withLock { $0.cluster } }

    var problem: String? { state.withLock { $0.problem } }

    var failures: [FailureSummary] { state.withLock { $0.outcomes.failures } }

    func run() async {
        while !Task.isCancelled {
            state.withLock {
                $0.cluster = ClusterStatus(); $0.outcomes = JobOutcomes()
            }
            do {
                let start = StoredPosition(cluster: try await transport.clusterID())
                let end = try await transport.watermarks(topic: Topics.manifests).mapValues(\.upperBound)
                state.withLock { $0.problem = nil }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for topic in [Topics.status, Topics.workers] {
                        group.addTask { try await self.follow(topic, from: start) { self.status($0) } }
                    }
                    group.addTask { try await self.follow(Topics.results, from: start) { self.results($0) } }
                    let now = StoredPosition(cluster: start.cluster, next: end)
                    group.addTask { try await self.follow(Topics.manifests, from: now) { self.manifests($0) } }
                    // The first failure restarts all.
                    defer { group.cancelAll() }
                    try await group.next()
                }
            } catch {
                if Task.isCancelled { return }
                state.withLock { $0.problem = "The cluster cannot be read: \(error)" }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func follow(
        _ topic: String, from start: StoredPosition, _ body: @Sendable ([Delivery]) -> Void
    ) async throws {
        try await transport.withReader(topic: topic, continuing: start) { reader in
            while !Task.isCancelled {
                let deliveries = try await reader.poll(limit: Self.limit, wait: Self.wait)
                if !deliveries.isEmpty { body(deliveries) }
            }
        }
    }

    private func status(_ deliveries: [Delivery]) {
        state.withLock { state in
            for delivery in deliveries { state.cluster.update(delivery) }
        }
        changes.signal()
        onStatus()
    }

    /// Skips records of a later version.
    private func results(_ deliveries: [Delivery]) {
        let ended = state.withLock { state in
            deliveries.flatMap { delivery -> [Manifest] in
                guard let value = delivery.record.value, let results = try? JobResults(record: value) else { return [] }
                return results.results.compactMap { state.outcomes.take($0) }
            }
        }
        changes.signal()
        for manifest in ended { onEnd(manifest) }
    }

    private func manifests(_ deliveries: [Delivery]) {
        let ended = state.withLock { state in
            deliveries.compactMap { delivery -> Manifest? in
                guard let value = delivery.record.value, let manifest = try? Manifest(record: value) else { return nil }
                return state.outcomes.take(manifest)
            }
        }
        for manifest in ended { onEnd(manifest) }
    }
}
