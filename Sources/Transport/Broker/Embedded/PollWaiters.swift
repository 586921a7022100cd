struct PollWaiters {
    typealias ID = UInt64
    typealias Continuation = CheckedContinuation<Void, Never>

    private var waiters: [ID: (topics: Set<String>, continuation: Continuation)] = [:]
    private var newest: ID = 0

    mutating func nextID() -> ID {
        newest += 1
        return newest
    }

    mutating func add(_ id: ID, _ topics: Set<String>, _ continuation: Continuation) {
        waiters[id] = (topics, continuation)
    }

    mutating func take(_ id: ID) -> Continuation? { waiters.removeValue(forKey: id)?.continuation }

    mutating func take(for topics: Set<String>) -> [Continuation] {
        let ids = waiters.filter { !$0.value.topics.isDisjoint(with: topics) }.keys
        return ids.compactMap { take($0) }
    }

    mutating func takeAll() -> [Continuation] {
        defer { waiters.removeAll() }
        return waiters.values.map(\.continuation)
    }
}
