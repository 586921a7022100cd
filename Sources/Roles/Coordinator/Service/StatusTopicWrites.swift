internal import Broker
internal import Synchronization

/// Tells this coordinator's records in the status topic from others. Another coordinator's record appears if that one
/// was suspended, resumed after this one had replaced it, and published its old state.
final class StatusTopicWrites: Sendable {
    private struct State {
        var next: Int64?
        /// Its own records that are not the publisher's.
        var sentBeside: Set<Int64> = []
    }

    private let state = Mutex(State())

    func reset() { state.withLock { $0 = State() } }

    func noteBeside(_ sent: [Position]) { state.withLock { $0.sentBeside.formUnion(sent.map(\.offset)) } }

    /// Adds the publisher's records. Throws `BrokerError.replaced` if the topic is another one or contains records of
    /// another coordinator: everything must be published again.
    func note(_ sent: [Position]) throws {
        let cause = state.withLock { state -> String? in
            for offset in sent.map(\.offset).sorted() {
                defer { state.next = offset + 1 }
                guard let next = state.next else { continue }
                if offset < next { return "its topic was created again" }
                if (next..<offset).contains(where: { state.sentBeside.remove($0) == nil }) {
                    return "another coordinator also published it"
                }
            }
            return nil
        }
        if let cause { throw BrokerError.replaced("the status is published again, because \(cause)") }
    }
}
