internal import Broker

/// How to reach a cluster, and how to create topics there.
public struct KafkaSettings: Sendable {
    /// The addresses of some of its brokers.
    public let address: KafkaAddress
    /// The prefix of the cluster's topics and groups.
    public var clusterName = ClusterName.usual
    /// librdkafka's properties that the user set.
    public var properties: KafkaProperties
    /// The name by which consumer groups recognise this process after a restart (Kafka's static membership). The group
    /// keeps its partitions for the session timeout, instead of moving them to other members and back. If nil, the
    /// process gives up its partitions when it ends.
    public var instanceID: String?
    /// Replicas of each partition; nil means three, or one per broker if there are fewer brokers.
    public var replicationFactor: Int?
    /// The timeouts and intervals.
    public var times = Times()
    /// Receives events that no call returns, on any thread.
    public var onEvent: @Sendable (KafkaEvent) -> Void = { _ in }

    /// Creates the settings without checking them or connecting.
    public init(
        _ address: KafkaAddress, properties: KafkaProperties = KafkaProperties(), instanceID: String? = nil,
        replicationFactor: Int? = nil
    ) {
        self.address = address
        self.properties = properties
        self.instanceID = instanceID
        self.replicationFactor = replicationFactor
    }

    /// Timeouts and intervals.
    public struct Times: Hashable, Sendable {
        /// A request to the cluster, such as for its topics, with all retries.
        public var request = Duration.seconds(30)
        /// The first request to the cluster. A cluster that never responds probably has a wrong address, and a user who
        /// waits for a command should learn that soon. A role can wait longer, because it retries.
        public var firstContact = Duration.seconds(30)
        /// Sending a record, with all retries, unless the user sets `message.timeout.ms`.
        public var delivery = Duration.seconds(60)
        /// A commit, with its retries.
        public var commit = Duration.seconds(30)
        /// One attempt of a commit.
        public var commitAttempt = Duration.seconds(5)
        /// The last commit before partitions are revoked. The whole group waits for it.
        public var lastCommit = Duration.seconds(5)
        /// Finishing the records in flight before partitions are revoked. The whole group waits for it.
        public var handover = Duration.seconds(5)
        /// The interval at which an idle member compares its offsets with the group's.
        public var offsetCheck = Duration.seconds(15)
        /// The interval at which a reader checks that its topic is still the same.
        public var topicCheck = Duration.seconds(60)
        /// Closing a consumer or a producer. A client that hangs for longer is abandoned.
        public var close = Duration.seconds(15)
        /// How long a client may lack a coordinator or broker before it is replaced.
        public var maxDisconnection = Duration.seconds(120)
        /// How long a rebalance waits for a member, and a member for the response to its request to join: a stalled
        /// broker never responds. Long jobs do not matter, because the poll thread joins a rebalance at once.
        public var rebalance = Duration.seconds(60)
        /// How long a member stays in its group without a request for records.
        public var maxIdle = Duration.seconds(30 * 60)

        /// The defaults.
        public init() {}

        /// The same times, with requests and sending limited to `time`.
        public func limited(to time: Duration) -> Times {
            var times = self
            times.request = min(request, time)
            times.firstContact = min(firstContact, time)
            times.delivery = min(delivery, time)
            return times
        }
    }
}

extension KafkaSettings {
    private static let common = [
        "socket.keepalive.enable": "true", "log.connection.close": "false",
        "reconnect.backoff.max.ms": "2000", "topic.metadata.refresh.interval.ms": "60000",
    ]

    private func merged(_ defaults: [String: String], fixed: [String: String]) -> [String: String] {
        var all = Self.common
        all["client.id"] = "\(clusterName)"
        all["max.poll.interval.ms"] = "\(longestRebalance.timeoutMilliseconds)"
        for layer in [defaults, properties.values, ["bootstrap.servers": address.servers], fixed] {
            all.merge(layer) { $1 }
        }
        return all
    }

    func adminProperties(group: String) -> [String: String] {
        var fixed = ["allow.auto.create.topics": "false", "enable.auto.commit": "false"]
        if !group.isEmpty { fixed["group.id"] = group }
        return merged([:], fixed: fixed)
    }

    var producerProperties: [String: String] {
        merged(
            [
                "linger.ms": "2", "message.timeout.ms": "\(times.delivery.timeoutMilliseconds)",
                "queue.buffering.max.messages": "100000", "queue.buffering.max.kbytes": "65536",
            ],
            fixed: [
                "enable.idempotence": "true", "acks": "all", "partitioner": "murmur2",
                "statistics.interval.ms": "2000",
            ])
    }

    /// A group that readers name and never join: librdkafka requires one, and looks for its coordinator.
    var readersGroup: String { clusterName.external("rawmill.readers") }

    func consumerProperties(group: String?, instanceID: String?) -> [String: String] {
        var fixed = [
            "group.id": group ?? readersGroup, "enable.auto.commit": "false",
            "enable.auto.offset.store": "false",
            "auto.offset.reset": "earliest", "partition.assignment.strategy": "range,roundrobin",
            "enable.partition.eof": "false", "allow.auto.create.topics": "false", "statistics.interval.ms": "2000",
        ]
        fixed["group.instance.id"] = instanceID
        // Records fetched ahead take memory. librdkafka 2.0 checks a full queue about twice a second, so a queue of 2
        // MiB passes 8,000 jobs a second, more than a worker can do, and one of 16 MiB 39,000 manifests.
        var usual = [
            "queued.max.messages.kbytes": "2048", "fetch.max.bytes": "1048576", "fetch.error.backoff.ms": "50",
        ]
        if KafkaLibrary.hasQueueBackoff { usual["fetch.queue.backoff.ms"] = "50" }
        if group == nil {
            // A member should get each job at once, but a reader writes records in batches: one transaction per record
            // would be three times the work, with one request to the broker per record.
            usual.merge([
                "queued.max.messages.kbytes": "16384", "fetch.max.bytes": "4194304", "fetch.min.bytes": "65536",
                "fetch.wait.max.ms": "150",
            ]) { $1 }
        }
        return merged(usual, fixed: fixed)
    }

    /// For a client that reads one record of each partition: as little as possible is fetched ahead. The fetch size
    /// stays at librdkafka's default, 1 MiB a partition: Kafka returns a batch above the requested size only for the
    /// first partition of a request (KIP-74), and the others would wait for ever.
    var singleRecordProperties: [String: String] {
        let least = ["queued.min.messages": "1", "fetch.min.bytes": "1", "fetch.wait.max.ms": "10"]
        return consumerProperties(group: nil, instanceID: nil).merging(least) { $1 }
    }

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

    /// The longest rebalance. librdkafka requires it to be no shorter than a session.
    private var longestRebalance: Duration {
        let session = properties.values["session.timeout.ms"].flatMap { Int64($0) } ?? 0
        return max(times.rebalance, .milliseconds(session))
    }
}
