import Arguments
import Broker
import CommandLineTool
import KafkaBroker
import Telemetry

enum TopicsCommand {
    static let group: Command = Command(
        "topics", summary: "Create, check and trim a cluster's Kafka topics.",
        subcommands: [create, check, TopicsTrimCommand.command, grants])

    static let partitions: Parameter<Int> = .option(
        "partitions", "N", default: 64, must: .within(1...10_000),
        help: "Partitions of each jobs topic. At most this many workers share the jobs.")
    static let replicas: Parameter<Int?> = .optional(
        "replication", "N", must: .within(1...15),
        help: "Replicas of each partition. (default: three, or the number of brokers if fewer)")

    private static let create: Command = Command(
        "create", summary: "Create missing topics; leave the others as they are.",
        discussion: """
            Job and manifest records have no retention limit: a time limit would lose records that wait longer.
            """,
        examples: [.init("rawmill topics create --broker kafka://kafka-1:9092", "with the default settings")],
        parameters: BrokerOptions.all + [partitions, replicas]
    ) { values in
        let topics = Topics.cluster(partitions: Int32(values[partitions]))
        // The brokers of a new cluster may still be starting.
        let transport = try BrokerOptions.commandTransport(
            values, contact: .seconds(30), replicationFactor: values[replicas])
        try await transport.create(topics + [KafkaTransport.incarnationTopic])
        // Writes the cluster's identity, so that the roles need no permission for it.
        _ = try await transport.clusterID()
        await transport.close()
        for topic in topics.map(values[BrokerOptions.name].value.external) {
            TextOutput.standardOutput.write(
                line: "\(topic.name)  \(SummaryText.counted(Int(topic.partitions), "partition"))")
        }
        return ExitStatus.done
    }

    private static let principal: Parameter<String> = .option(
        "principal", "PREFIX", default: "User:rawmill-",
        help: "Prefix of Kafka's principals; the role's name follows.")

    private static let grants: Command = Command(
        "grants", summary: "Print the permissions each role needs, as arguments of kafka-acls.",
        discussion: """
            Roles: setup for `rawmill topics`, coordinator, catalogue, worker, and people for the other commands.
            """,
        examples: [
            .init(
                "rawmill topics grants | xargs -L 1 kafka-acls.sh --bootstrap-server kafka-1:9092 --add",
                "grant all permissions")
        ],
        parameters: [BrokerOptions.name, principal]
    ) { values in
        for role in RoleGrants.allCases {
            let name = values[principal] + role.rawValue
            for grant in role.grants {
                TextOutput.standardOutput.write(
                    line: grant.arguments(principal: name, cluster: values[BrokerOptions.name].value))
            }
        }
        return ExitStatus.done
    }

    private static let check: Command = Command(
        "check", summary: "Check that a cluster is configured to lose nothing.",
        discussion: """
            Exit status: 0 no findings, 3 findings.
            """,
        parameters: BrokerOptions.all + [partitions, LibraryOption.json]
    ) { values in
        let topics = Topics.cluster(partitions: Int32(values[partitions]))
        let transport = try BrokerOptions.commandTransport(values)
        let check = ClusterCheck(
            try await transport.inspect(topics), topics: topics.map(values[BrokerOptions.name].value.external))
        await transport.close()
        for finding in check.findings { write(finding, asJSON: values[LibraryOption.json]) }
        if !values[LibraryOption.json], check.findings.isEmpty {
            TextOutput.standardOutput.write(line: "No findings.")
        }
        return check.hasProblems ? ExitStatus.someFailed : ExitStatus.done
    }

    private static func write(_ finding: ClusterCheck.Finding, asJSON: Bool) {
        guard asJSON else {
            return TextOutput.standardOutput.write(
                line: "\(finding.severity.rawValue)  \(finding.subject): \(finding.message).")
        }
        TextOutput.standardOutput.write(
            event: "finding",
            [
                "weight": finding.severity.rawValue,
                "subject": finding.subject,
                "message": finding.message,
            ])
    }
}
