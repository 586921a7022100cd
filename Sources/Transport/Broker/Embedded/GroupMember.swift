internal import Synchronization

final class GroupMember: Sendable {
    let id: ConsumerGroup.MemberID
    let group: String
    let topics: Set<String>
    let tracker: Mutex<AssignmentTracker>

    init(id: ConsumerGroup.MemberID, group: String, topics: Set<String>, window: Int) {
        self.id = id
        self.group = group
        self.topics = topics
        tracker = Mutex(AssignmentTracker(window: window))
    }
}

final class ReaderState: Sendable {
    let topic: String
    let offsets: Mutex<[TopicPartition: Int64]>
    let isClosed = Mutex(false)

    init(topic: String, offsets: [TopicPartition: Int64]) {
        self.topic = topic
        self.offsets = Mutex(offsets)
    }
}
