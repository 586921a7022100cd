/// The members of a consumer group, and the partitions of each. The broker performs the changes that it returns.
struct ConsumerGroup {
    typealias MemberID = Int

    /// A step of a rebalance. All revocations precede all assignments.
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

    mutating func leave(_ member: MemberID, partitions: [String: Int32]) -> [Change] {
        topics[member] = nil
        return rebalance(partitions)
    }

    /// Distributes the partitions over the members. Revokes only partitions that move.
    private mutating func rebalance(_ partitions: [String: Int32]) -> [Change] {
        let target = Self.range(topics, partitions)
        let members = Set(target.keys).union(assignment.keys).sorted()
        var changes: [Change] = []
        for member in members {
            let lost = assignment[member, default: []].subtracting(target[member, default: []])
            if !lost.isEmpty { changes.append(.revoke(member, lost)) }
        }
        for member in members {
            let gained = target[member, default: []].subtracting(assignment[member, default: []])
            if !gained.isEmpty { changes.append(.assign(member, gained)) }
        }
        assignment = target
        return changes
    }

    /// Kafka's range assignment: of each topic, the members in order get contiguous partitions, the first members one
    /// more if they do not divide evenly.
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
