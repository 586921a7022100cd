internal import Broker
internal import Synchronization

/// Notices that another Kafka is behind the address than before, or the same one after it lost everything.
///
/// librdkafka connects again by itself and says nothing: a reader would go on at its old offset in a topic that has other
/// records there. So whenever a client has connected, the cluster's identity is read again, and where it differs, all
/// that read have to begin anew.
final class ClusterWatch: Sendable {
    private struct State {
        /// Nil before anybody asked for it.
        var identity: String?
        var isChecking = false
        var isDue = false
        var check: (@Sendable () async -> Void)?
    }

    private let state = Mutex(State())

    /// The shortest time between two checks: connections can come and go every moment.
    private static let minInterval = Duration.seconds(2)

    /// Sets what reads the identity again, until it succeeds or the transport is closed.
    func onSuspicion(_ check: @escaping @Sendable () async -> Void) { state.withLock { $0.check = check } }

    /// The identity that was read last; nil before anybody asked for it.
    var identity: String? { state.withLock { $0.identity } }

    /// Takes note of the identity that was read.
    ///
    /// - Returns: the identity before, if it was another one.
    func record(_ identity: String) -> String? {
        state.withLock { state in
            defer { state.identity = identity }
            return state.identity.flatMap { $0 == identity ? nil : $0 }
        }
    }

    /// Has the identity checked, because a client has connected. Checks never run side by side.
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
