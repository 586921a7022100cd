/// Polls that found nothing and wait for news of their topics.
struct WaitingPolls {
    typealias ID = UInt64
    typealias Poll = CheckedContinuation<Void, Never>

    private var polls: [ID: (topics: Set<String>, poll: Poll)] = [:]
    private var newest: ID = 0

    mutating func nextID() -> ID {
        newest += 1
        return newest
    }

    mutating func add(_ id: ID, _ topics: Set<String>, _ poll: Poll) { polls[id] = (topics, poll) }

    mutating func take(_ id: ID) -> Poll? { polls.removeValue(forKey: id)?.poll }

    mutating func take(for topics: Set<String>) -> [Poll] {
        let ids = polls.filter { !$0.value.topics.isDisjoint(with: topics) }.keys
        return ids.compactMap { take($0) }
    }

    mutating func takeAll() -> [Poll] {
        defer { polls.removeAll() }
        return polls.values.map(\.poll)
    }
}
