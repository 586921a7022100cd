import Broker
import KafkaBroker

/// The minimum permissions in Kafka for the user of each role. A test runs a cluster with exactly these.
enum RoleGrants: String, CaseIterable {
    /// Creates, checks and trims the topics: `rawmill topics`.
    case setup
    case coordinator
    case catalogue
    case worker
    /// The users' commands: `submit`, `status`, `pause`, `dead-letters` and others.
    case people

    struct Grant: Hashable {
        enum Resource: Hashable {
            case topics([String])
            /// All topics with the cluster's prefix.
            case everyTopic
            case groups([String])
            case everyGroup
            case cluster
        }

        let operations: [String]
        let resource: Resource
    }

    var grants: [Grant] {
        [
            Grant(operations: ["Describe"], resource: .everyTopic),
            Grant(operations: ["Describe"], resource: .everyGroup),
            Grant(operations: ["Read"], resource: .topics(reads)),
            Grant(operations: ["Write"], resource: .topics(writes)),
        ] + others
    }

    private static let incarnation = KafkaTransport.incarnationTopic.name

    private var reads: [String] {
        switch self {
        // The topics of which a ledger and a library keep a record, to recognise them before they are trimmed.
        case .setup: [Self.incarnation, Topics.control, Topics.results, Topics.removals]
        case .coordinator:
            [
                Self.incarnation, Topics.control, Topics.results, Topics.workers, Topics.interactiveJobs,
                Topics.bulkJobs, Topics.deadLetter,
            ]
        case .catalogue: [Self.incarnation, Topics.manifests, Topics.removals]
        case .worker: [Self.incarnation, Topics.status] + Topics.jobTopics
        case .people: [Self.incarnation, Topics.status, Topics.workers, Topics.deadLetter]
        }
    }

    private var writes: [String] {
        switch self {
        case .setup: [Self.incarnation]
        case .coordinator:
            [
                Self.incarnation, Topics.interactiveJobs, Topics.bulkJobs, Topics.status, Topics.workers,
                Topics.removals, Topics.deadLetter,
            ]
        // The first claims the topics for its library.
        case .catalogue: [Self.incarnation, Topics.results, Topics.deadLetter]
        case .worker: [Topics.retry, Topics.manifests, Topics.workers, Topics.deadLetter]
        // A redriven unreadable record returns to its topic.
        case .people: [Topics.control, Topics.manifests] + Topics.jobTopics
        }
    }

    private var others: [Grant] {
        switch self {
        case .setup:
            [
                Grant(operations: ["Create", "DescribeConfigs"], resource: .everyTopic),
                Grant(operations: ["DescribeConfigs"], resource: .cluster),
                Grant(
                    operations: ["Delete"],
                    resource: .topics([Topics.control, Topics.results, Topics.removals] + Topics.jobTopics)),
            ]
        case .worker: [Grant(operations: ["Read"], resource: .groups(Topics.jobTopics.map { "\($0).workers" }))]
        case .coordinator, .catalogue, .people: []
        }
    }
}

extension RoleGrants.Grant {
    /// The arguments of Kafka's `kafka-acls` that grant it.
    func arguments(principal: String, cluster: ClusterName) -> String {
        let operations = operations.map { "--operation \($0)" }
        let prefix = cluster.external("rawmill.")
        let resources =
            switch resource {
            case .topics(let names): names.map { "--topic \(cluster.external($0))" }
            case .everyTopic: ["--resource-pattern-type prefixed --topic \(prefix)"]
            case .groups(let names): names.map { "--group \(cluster.external($0))" }
            case .everyGroup: ["--resource-pattern-type prefixed --group \(prefix)"]
            case .cluster: ["--cluster"]
            }
        return (["--allow-principal \(principal)"] + operations + resources).joined(separator: " ")
    }
}
