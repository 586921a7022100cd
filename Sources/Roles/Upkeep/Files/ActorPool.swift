/// Actors on separate threads that share work.
struct ActorPool<Member: Actor>: Sendable {
    private let members: [Member]

    /// - Parameter members: at least one.
    init(_ members: [Member]) {
        precondition(!members.isEmpty, "a pool needs a member")
        self.members = members
    }

    /// Splits items among the members, and returns the results in the order of the items.
    ///
    /// - Parameter work: returns one result for each item of a part. Its first error ends the call.
    func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Member, [Item]) async throws -> [Result]
    ) async throws -> [Result] {
        let partCount = max(1, (items.count + members.count - 1) / members.count)
        return try await withThrowingTaskGroup(of: (Int, [Result]).self) { group in
            for (index, member) in members.enumerated() where index * partCount < items.count {
                let part = Array(items.dropFirst(index * partCount).prefix(partCount))
                group.addTask { (index, try await work(member, part)) }
            }
            var parts: [(Int, [Result])] = []
            for try await part in group { parts.append(part) }
            return parts.sorted { $0.0 < $1.0 }.flatMap { $0.1 }
        }
    }

    func forEach<Item: Sendable>(
        _ items: [Item], _ work: @escaping @Sendable (Member, [Item]) async throws -> Void
    ) async throws {
        let _: [Never] = try await map(items) { member, part in
            try await work(member, part)
            return []
        }
    }
}
