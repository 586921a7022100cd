internal import Broker

/// How to reach a cluster, and what Rawmill makes there.
public struct KafkaSettings: Sendable {
    public let address: KafkaAddress
    public var properties: KafkaProperties
    /// The name by which consumer groups know this process again after a restart: its partitions then wait for it as
    /// long as a session lasts, instead of going to others and back. Nil: a member that ends gives them up at once.
    public var instanceID: String?
    /// Copies of each partition; nil for three, or as many as there are brokers.
    public var replicationFactor: Int?
    public var times = Times()
    /// Is told what no call answers, from any thread.
    public var onNews: @Sendable (KafkaEvent) -> Void = { _ in }

    public init(
        _ address: KafkaAddress, properties: KafkaProperties = KafkaProperties(), instanceID: String? = nil,
        replicationFactor: Int? = nil
    ) {
        self.address = address
        self.properties = properties
        self.instanceID = instanceID
        self.replicationFactor = replicationFactor
    }

    /// How long is waited for what.
    public struct Times: Hashable, Sendable {
        /// A question to the cluster, such as which topics it has.
        public var answer = Duration.seconds(30)
        /// The first answer of all: a cluster that gives none is at another address, or is not there. A command whose
        /// user waits for it wants to know that sooner than a role, which goes on trying.
        public var contact = Duration.seconds(30)
        /// A record's way to enough brokers, with all attempts, where the user sets no `message.timeout.ms`.
        public var delivery = Duration.seconds(60)
        /// A commit, with its retries; and one attempt.
        public var commit = Duration.seconds(30)
        public var commitAttempt = Duration.seconds(5)
        /// The last commit before a partition goes: the whole group waits for it.
        public var lastCommit = Duration.seconds(5)
        /// What is being worked on when partitions go may take so long to be finished: the whole group waits for it.
        public var handOver = Duration.seconds(5)
        /// So often a member with nothing to do compares its place with the group's.
        public var comparison = Duration.seconds(15)
        /// Closing a consumer or a producer; what hangs then is left behind.
        public var close = Duration.seconds(15)
        /// A client that finds no coordinator or broker for so long is replaced by a new one.
        public var withoutCoordinator = Duration.seconds(120)
        /// A member that takes no part in a rebalance for so long is left out of it; and so long it waits itself for
        /// the answer to its own joining, which a broker that stands still never gives. The poll thread takes part at
        /// once, however long a job lasts.
        public var rebalance = Duration.seconds(60)
        /// A member that is asked for no records for so long leaves its group.
        public var silence = Duration.seconds(30 * 60)

        public init() {}

        /// Every question and every record is given up after that time at the latest.
        public func limited(to time: Duration) -> Times {
            var times = self
            times.answer = min(answer, time)
            times.contact = min(contact, time)
            times.delivery = min(delivery, time)
            return times
        }
    }
}

extension KafkaSettings {
    private static let common = [
        "client.id": "rawmill", "socket.keepalive.enable": "true", "log.connection.close": "false",
        "reconnect.backoff.max.ms": "2000", "topic.metadata.refresh.interval.ms": "60000",
    ]

    private func merged(_ defaults: [String: String], fixed: [String: String]) -> [String: String] {
        var all = Self.common
        all["max.poll.interval.ms"] = "\(longestRebalance.wholeMilliseconds)"
        for layer in [defaults, properties.values, ["bootstrap.servers": address.servers], fixed] {
            all.merge(layer) { $1 }
        }
        return all
    }

    /// - Parameter group: the group to ask about; empty for none.
    func adminProperties(group: String) -> [String: String] {
        var fixed = ["allow.auto.create.topics": "false", "enable.auto.commit": "false"]
        if !group.isEmpty { fixed["group.id"] = group }
        return merged([:], fixed: fixed)
    }

    var producerProperties: [String: String] {
        merged(
            [
                "linger.ms": "2", "message.timeout.ms": "\(times.delivery.wholeMilliseconds)",
                "queue.buffering.max.messages": "100000", "queue.buffering.max.kbytes": "65536",
            ],
            fixed: [
                "enable.idempotence": "true", "acks": "all", "partitioner": "murmur2",
                "statistics.interval.ms": "2000",
            ])
    }

    /// - Parameter group: nil for a reader, which librdkafka asks a group's name of all the same; it joins none.
    func consumerProperties(group: String?, instanceID: String?) -> [String: String] {
        var fixed = [
            "group.id": group ?? "rawmill-reader", "enable.auto.commit": "false", "enable.auto.offset.store": "false",
            "auto.offset.reset": "earliest", "partition.assignment.strategy": "range,roundrobin",
            "enable.partition.eof": "false", "allow.auto.create.topics": "false", "statistics.interval.ms": "2000",
        ]
        fixed["group.instance.id"] = instanceID
        // A full queue is looked at again after the backoff: at its default of 500 ms, fetching would stand still.
        var usual = [
            "queued.max.messages.kbytes": "32768", "fetch.max.bytes": "8388608", "fetch.error.backoff.ms": "50",
        ]
        if group == nil {
            // A member has a job at once. A reader takes records together, and writes them together: a transaction for
            // each one would cost it three times the work, and the broker a request for each.
            usual.merge(["fetch.min.bytes": "65536", "fetch.wait.max.ms": "150"]) { $1 }
        }
        return merged(usual, fixed: fixed)
    }

    /// - Throws: `KafkaSettingsError` for a property or value that librdkafka does not take.
    func check() throws {
        let kinds = [
            adminProperties(group: ""), producerProperties,
            consumerProperties(group: "rawmill", instanceID: instanceID),
        ]
        for properties in kinds {
            do throws(KafkaFault) {
                _ = try ClientConfiguration.make(properties)
            } catch {
                throw KafkaSettingsError("\(error.text). See librdkafka's list of properties, CONFIGURATION.md.")
            }
        }
    }

    /// librdkafka wants it to be no shorter than a session.
    private var longestRebalance: Duration {
        let session = properties.values["session.timeout.ms"].flatMap { Int64($0) } ?? 0
        return max(times.rebalance, .milliseconds(session))
    }
}
