internal import Broker
internal import Synchronization

/// Which records of the status topic are this coordinator's. There is one that is not if another coordinator was stopped, woke up
/// when this one had its place, and published what it knew before.
final class StatusTopicWrites: Sendable {
    private struct State {
        /// The offset after the last record that is known to be this coordinator's own.
        var next: Int64?
        /// Own records that others than the publisher sent.
        var sentBeside: Set<Int64> = []
    }

    private let state = Mutex(State())

    /// Begins anew, with a topic that may be another one.
    func reset() { state.withLock { $0 = State() } }

    /// Notes records that are not the publisher's.
    func noteBeside(_ sent: [Position]) { state.withLock { $0.sentBeside.formUnion(sent.map(\.offset)) } }

    /// Notes the publisher's records.
    ///
    /// - Throws: `BrokerError.replaced` where the topic is another one, or has records of another coordinator: everything has to
    ///   be published again.
    func note(_ sent: [Position]) throws {
        let cause = state.withLock { state -> String? in
            for offset in sent.map(\.offset).sorted() {
                defer { state.next = offset + 1 }
                guard let next = state.next else { continue }
                if offset < next { return "its topic was created anew" }
                if (next..<offset).contains(where: { state.sentBeside.remove($0) == nil }) {
                    return "another coordinator published it, too"
                }
            }
            return nil
        }
        if let cause { throw BrokerError.replaced("the status is published again, because \(cause)") }
    }
}
