public import Broker

/// Checks a cluster for settings and states that endanger at-least-once delivery.
public struct ClusterCheck: Sendable {
    /// A setting or state that should be changed.
    public struct Finding: Hashable, Sendable {
        /// How serious a finding is.
        public enum Severity: String, Hashable, Sendable {
            /// Records can be lost, or nothing works.
            case problem
            /// The cluster works, but with less safety or capacity than possible.
            case advice
        }

        /// How serious it is.
        public let severity: Severity
        /// The topic, or "cluster".
        public let subject: String
        /// The finding, and its remedy.
        public let message: String
    }

    /// The findings for the whole cluster, then those for each topic, in the topics' order.
    public private(set) var findings: [Finding] = []
    private let facts: ClusterDescription

    /// A week in milliseconds: the longest expected absence of the workers.
    private static let week: Int64 = 7 * 24 * 3600 * 1000

    /// Checks a cluster for the topics that Rawmill needs.
    public init(_ facts: ClusterDescription, topics: [Topic]) {
        self.facts = facts
        checkBrokers()
        for topic in topics { check(topic) }
    }

    /// Whether a finding is more than advice.
    public var hasProblems: Bool { findings.contains { $0.severity == .problem } }

    private static func brokers(_ count: Int) -> String { count == 1 ? "1 broker" : "\(count) brokers" }

    private mutating func checkBrokers() {
        if facts.brokers < 3 {
            note(
                .advice, "cluster",
                "it has \(Self.brokers(facts.brokers)): with three, one can fail without loss"
            )
        }
        if let minutes = facts.brokerSettings["offsets.retention.minutes"].flatMap({ Int64($0) }),
            minutes < Self.week / 60_000
        {
            note(
                .problem, "cluster",
                "offsets.retention.minutes is \(minutes): workers that are away for longer lose their offsets and "
                    + "render finished jobs again. Set it to 10080 or more")
        }
        if facts.brokerSettings["unclean.leader.election.enable"] == "true" {
            note(
                .problem, "cluster",
                "unclean.leader.election.enable is true: a lagging broker can become leader, and acknowledged "
                    + "records are lost. Set it to false")
        }
    }

    private mutating func check(_ topic: Topic) {
        guard let found = facts.topics[topic.name] else {
            return note(.problem, topic.name, "it does not exist. Create it: rawmill topics create")
        }
        if !found.hasLeaders {
            note(.problem, topic.name, "a partition has no leader: its brokers are down. Start them")
        }
        checkReplicas(topic, found)
        checkCleanup(topic, found)
        checkSize(topic, found)
        if found.partitions < topic.partitions {
            note(
                .advice, topic.name,
                "it has \(found.partitions == 1 ? "1 partition" : "\(found.partitions) partitions") where rawmill topics create makes \(topic.partitions): "
                    + "at most one worker for each partition can share it")
        }
    }

    private mutating func checkReplicas(_ topic: Topic, _ found: TopicDescription) {
        if found.replicas < min(3, facts.brokers) {
            note(
                found.replicas < 2 ? .problem : .advice, topic.name,
                "a partition has \(found.replicas) cop\(found.replicas == 1 ? "y" : "ies") on \(Self.brokers(facts.brokers)): "
                    + "raise its replication factor to \(min(3, facts.brokers))")
        }
        let needed = found.settings["min.insync.replicas"].flatMap { Int($0) } ?? 1
        if found.replicas > 1, needed < 2 {
            note(
                .problem, topic.name,
                "min.insync.replicas is \(needed): a record counts as written when only one broker has it. Set it to 2"
            )
        }
        if found.replicas > 1, needed >= found.replicas {
            note(
                .problem, topic.name,
                "min.insync.replicas is \(needed) of \(found.replicas) copies: nothing can be written while one broker "
                    + "is down. Set it to \(max(1, found.replicas - 1))")
        }
        if found.inSyncReplicas < needed {
            note(
                .problem, topic.name,
                "\(found.inSyncReplicas) of \(found.replicas) copies are in sync and \(needed) are needed: nothing can "
                    + "be written. Start the brokers that are down")
        }
    }

    private mutating func checkCleanup(_ topic: Topic, _ found: TopicDescription) {
        let policy = found.settings["cleanup.policy"] ?? "delete"
        if topic.retention == .compacted {
            if policy != "compact" {
                note(.problem, topic.name, "cleanup.policy is \(policy): it grows without limit. Set it to compact")
            }
            return
        }
        if policy.contains("compact") {
            note(.problem, topic.name, "cleanup.policy is \(policy): older records of a key are lost. Set it to delete")
        }
        checkRetention(topic, found)
    }

    private mutating func checkRetention(_ topic: Topic, _ found: TopicDescription) {
        let time = found.settings["retention.ms"].flatMap { Int64($0) } ?? -1
        let bytes = found.settings["retention.bytes"].flatMap { Int64($0) } ?? -1
        if bytes >= 0 {
            note(
                .problem, topic.name,
                "retention.bytes is \(bytes): a long backlog is deleted before it is read. Set it to -1")
        }
        guard time >= 0 else { return }
        if topic.retention == .forever {
            note(
                .advice, topic.name,
                "retention.ms is \(time): a library cannot be rebuilt from older records. Set it to -1")
        }
        if time < Self.week {
            note(
                .problem, topic.name,
                "retention.ms is \(time), less than a week: records are deleted before they are read if the "
                    + "workers are busy or away that long. Set it to -1, or to more than the longest backlog")
        }
    }

    private mutating func checkSize(_ topic: Topic, _ found: TopicDescription) {
        // Kafka limits batches, including their headers.
        let needed = topic.maxRecordBytes + 4096
        guard let most = found.settings["max.message.bytes"].flatMap({ Int($0) }), most < needed else { return }
        note(.problem, topic.name, "max.message.bytes is \(most): records of up to \(needed) bytes are sent. Raise it")
    }

    private mutating func note(_ severity: Finding.Severity, _ subject: String, _ message: String) {
        findings.append(Finding(severity: severity, subject: subject, message: message))
    }
}
