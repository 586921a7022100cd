/// A consumer group's members and who has which partition: a value; the broker performs its changes.
struct ConsumerGroup {
    typealias MemberID = Int

    /// What a rebalance asks for, in this order: first every revocation, then every assignment.
    enum Change: Hashable, Sendable {
        case revoke(MemberID, Set<TopicPartition>)
        case assign(MemberID, Set<TopicPartition>)
    }

    private var topics: [MemberID: Set<String>] = [:]
    private(set) var assignment: [MemberID: Set<TopicPartition>] = [:]

    var isEmpty: Bool { topics.isEmpty }

    mutating func join(_ member: MemberID, topics subscribed: Set<String>, partitions: [String: Int32]) -> [Change] {
        topics[member] = subscribed
        return rebalance(partitions)
    }

    /// The leaving member's partitions are revoked too.
    mutating func leave(_ member: MemberID, partitions: [String: Int32]) -> [Change] {
        topics[member] = nil
        return rebalance(partitions)
    }

    /// Only partitions that move are revoked.
    private mutating func rebalance(_ partitions: [String: Int32]) -> [Change] {
        let wanted = Self.range(topics, partitions)
        let members = Set(wanted.keys).union(assignment.keys).sorted()
        var changes: [Change] = []
        for member in members {
            let lost = assignment[member, default: []].subtracting(wanted[member, default: []])
            if !lost.isEmpty { changes.append(.revoke(member, lost)) }
        }
        for member in members {
            let gained = wanted[member, default: []].subtracting(assignment[member, default: []])
            if !gained.isEmpty { changes.append(.assign(member, gained)) }
        }
        assignment = wanted
        return changes
    }

    /// Kafka's range assignment: of each topic, members in order take contiguous partitions, the first ones one more
    /// where they do not divide evenly.
    static func range(
        _ topics: [MemberID: Set<String>], _ partitions: [String: Int32]
    ) -> [MemberID: Set<TopicPartition>] {
        var assignment: [MemberID: Set<TopicPartition>] = topics.mapValues { _ in [] }
        for (topic, count) in partitions {
            let members = topics.filter { $0.value.contains(topic) }.keys.sorted()
            var next: Int32 = 0
            for (index, member) in members.enumerated() {
                let extra = index < Int(count) % members.count ? 1 : 0
                let share = Int32(Int(count) / members.count + extra)
                for partition in next..<next + share {
                    assignment[member, default: []].insert(TopicPartition(topic: topic, partition: partition))
                }
                next += share
            }
        }
        return assignment
    }
}
