internal import Broker
internal import Synchronization

/// Notices when the address leads to another Kafka, or to the same one after it lost everything.
///
/// librdkafka reconnects without reporting it, and a reader would continue at its old offset in a topic with other
/// records. So after each connection of a client the cluster's identity is read again; if it differs, all readers start
/// over.
final class ClusterWatch: Sendable {
    private struct State {
        var identity: String?
        var isChecking = false
        var isDue = false
        var check: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// The shortest time between two checks, because connections can come and go at any rate.
    private static let minInterval = Duration.seconds(2)

    /// Sets the closure that reads the identity again, until it succeeds or the transport is closed.
    func onSuspicion(_ check: @escaping @Sendable () async -> Void) { state.withLock { $0.check = check } }

    var identity: String? { state.withLock { $0.identity } }

    /// Records the identity that was read. Returns the previous one if it differs.
    func record(_ identity: String) -> String? {
        state.withLock { state in
            defer { state.identity = identity }
            return state.identity.flatMap { $0 == identity ? nil : $0 }
        }
    }

    /// Starts a check of the identity, because a client has connected. Checks never run concurrently.
    func suspect() {
        let check = state.withLock { state -> (@Sendable () async -> Void)? in
            // No reader holds offsets of a cluster whose identity was never read.
            guard state.identity != nil, let check = state.check else { return nil }
            state.isDue = true
            guard !state.isChecking else { return nil }
            state.isChecking = true
            return check
        }
        guard let check else { return }
        Task {
            while isCheckDue() {
                await check()
                try? await Task.sleep(for: Self.minInterval)
            }
        }
    }

    private func isCheckDue() -> Bool {
        state.withLock { state in
            defer { state.isDue = false }
            state.isChecking = state.isDue
            return state.isDue
        }
    }
}
