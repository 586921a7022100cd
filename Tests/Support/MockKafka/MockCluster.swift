internal import CRdKafkaMock
internal import Concurrency

/// A Kafka cluster in this process, for tests: librdkafka's mock cluster, which listens on loopback, so other processes
/// can connect to it too. It can delay, refuse and fail requests.
///
/// Compared with a real cluster, the mock of librdkafka 2.0.2 has these limits:
/// - It drops data beyond 5 MiB or 100,000 message sets of a partition.
/// - It has no topic administration. Topics are created with `create(topic:partitions:replicas:)`.
/// - It does not remove duplicates of an idempotent producer, limit record sizes, or speak TLS.
/// - It refuses commits while a group rebalances.
/// - An empty fetch sleeps for its whole wait, so clients need `fetch.wait.max.ms=10`.
///
/// `@unchecked Sendable`: librdkafka locks the cluster itself, and the two pointers do not change until `deinit`.
@safe public final class MockCluster: @unchecked Sendable {
    /// The client that runs the cluster's threads.
    private let client: OpaquePointer
    private let cluster: OpaquePointer
    private let brokers: ClosedRange<Int32>

    /// The requests that can be made to fail. The raw values are Kafka's API keys.
    public enum Request: Int16, Sendable, CaseIterable {
        case produce = 0
        case fetch = 1
        case listOffsets = 2
        case metadata = 3
        case offsetCommit = 8
        case offsetFetch = 9
        case findCoordinator = 10
        case joinGroup = 11
        case heartbeat = 12
        case syncGroup = 14
        case initProducerID = 22

        /// The transient errors that a real broker returns for this request.
        public var transientFaults: [Fault] {
            switch self {
            case .produce: [.disconnect, .notLeader, .notEnoughReplicas]
            case .fetch, .listOffsets: [.disconnect, .notLeader]
            case .offsetCommit, .offsetFetch, .joinGroup, .heartbeat, .syncGroup:
                [.disconnect, .notCoordinator, .coordinatorLoading]
            case .findCoordinator: [.disconnect, .noCoordinator]
            case .metadata, .initProducerID: [.disconnect]
            }
        }
    }

    /// Errors of Kafka's protocol.
    public enum Fault: Sendable, CaseIterable {
        /// The broker closes the connection.
        case disconnect
        case notLeader
        case notCoordinator
        case coordinatorLoading
        case noCoordinator
        case notEnoughReplicas
        case requestTimedOut
        /// A record arrived out of sequence. It is fatal to an idempotent producer.
        case outOfOrderSequence

        var code: rd_kafka_resp_err_t {
            switch self {
            case .disconnect: RD_KAFKA_RESP_ERR__TRANSPORT
            case .notLeader: RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION
            case .notCoordinator: RD_KAFKA_RESP_ERR_NOT_COORDINATOR
            case .coordinatorLoading: RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS
            case .noCoordinator: RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE
            case .notEnoughReplicas: RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS
            case .requestTimedOut: RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT
            case .outOfOrderSequence: RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
            }
        }
    }

    /// Starts a cluster.
    ///
    /// - Parameter brokers: the number of brokers, at least 1. They are numbered from 1.
    /// - Throws: `MockClusterError` if librdkafka cannot listen on loopback.
    public init(brokers: Int) throws(MockClusterError) {
        let count = max(1, Int32(clamping: brokers))
        let configuration = unsafe rd_kafka_conf_new()
        unsafe rd_kafka_conf_set_log_cb(configuration, nil)
        guard let client = unsafe rd_kafka_new(RD_KAFKA_PRODUCER, configuration, nil, 0) else {
            unsafe rd_kafka_conf_destroy(configuration)
            throw MockClusterError()
        }
        guard let cluster = unsafe rd_kafka_mock_cluster_new(client, count) else {
            unsafe rd_kafka_destroy(client)
            throw MockClusterError()
        }
        unsafe self.client = unsafe client
        unsafe self.cluster = unsafe cluster
        self.brokers = 1...count
    }

    /// Destroys the cluster on a separate thread, because the call waits for the cluster's threads.
    deinit {
        // Nothing else refers to the pointers any more.
        nonisolated(unsafe) let (client, cluster) = unsafe (client, cluster)
        let destroy: @Sendable () -> Void = {
            unsafe rd_kafka_mock_cluster_destroy(cluster)
            unsafe rd_kafka_destroy(client)
        }
        if SystemThread(name: "mock-destroy", destroy) == nil { destroy() }
    }

    /// The brokers' addresses: "host:port,host:port".
    public var servers: String {
        unsafe rd_kafka_mock_cluster_bootstraps(cluster).map { unsafe String(cString: $0) } ?? ""
    }

    /// Creates a topic.
    public func create(topic: String, partitions: Int32, replicas: Int32 = 1) {
        _ = unsafe rd_kafka_mock_topic_create(cluster, topic, partitions, replicas)
    }

    /// Makes the next requests of a kind fail with these errors, one error per request, on any broker.
    public func inject(_ faults: [Fault], into request: Request) {
        let codes = faults.map(\.code)
        unsafe rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, codes.count, codes)
    }

    /// Removes the injected errors that no request has received yet.
    public func clearFaults() {
        for request in Request.allCases { unsafe rd_kafka_mock_clear_request_errors(cluster, request.rawValue) }
    }

    /// Closes the connections of a broker and refuses new ones.
    ///
    /// - Parameter broker: its number; nil for all.
    public func takeDown(broker: Int32? = nil) { _ = unsafe rd_kafka_mock_broker_set_down(cluster, broker ?? -1) }

    /// Lets a broker accept connections again.
    ///
    /// - Parameter broker: its number; nil for all.
    public func bringUp(broker: Int32? = nil) { _ = unsafe rd_kafka_mock_broker_set_up(cluster, broker ?? -1) }

    /// Delays every response of a broker.
    ///
    /// - Parameters:
    ///   - broker: its number; nil for all.
    ///   - time: the round-trip time to imitate, in whole milliseconds.
    public func delay(broker: Int32? = nil, by time: Duration) {
        let milliseconds = Int32(clamping: Int(time / .milliseconds(1)))
        _ = unsafe rd_kafka_mock_broker_set_rtt(cluster, broker ?? -1, milliseconds)
    }

    /// Makes a broker the coordinator of a consumer group. Does nothing for a broker that does not exist.
    public func move(coordinatorOf group: String, to broker: Int32) {
        guard brokers.contains(broker) else { return }
        _ = unsafe rd_kafka_mock_coordinator_set(cluster, "group", group, broker)
    }

    /// Makes a broker the leader of a partition. Does nothing for a broker that does not exist.
    public func move(leaderOf topic: String, partition: Int32, to broker: Int32) {
        guard brokers.contains(broker) else { return }
        _ = unsafe rd_kafka_mock_partition_set_leader(cluster, topic, partition, broker)
    }
}

/// librdkafka could not start its mock cluster.
public struct MockClusterError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence for the test's report.
    public var description: String { "the mock cluster could not be started" }
}
