internal import CRdKafka
internal import Synchronization

/// librdkafka's own imitation of a cluster, on loopback, in this process: other processes can connect to it too. For
/// tests, with faults on demand.
///
/// What it lacks in librdkafka 2.0.2: it drops data beyond 5 MiB or 100,000 message sets a partition, has no topic
/// administration (`create` here is its own), no de-duplication, no size limit and no TLS; it refuses commits while a
/// group rebalances; an empty fetch sleeps its whole wait, so that clients need `fetch.wait.max.ms=10`.
///
/// `@unchecked Sendable`: librdkafka guards the cluster itself; the pointers are constant until `deinit`.
public final class MockCluster: @unchecked Sendable {
    private let handle: ClientHandle
    private let cluster: OpaquePointer
    private let brokers: ClosedRange<Int32>

    /// Requests whose answers can be errors, by Kafka's protocol numbers.
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

        /// Errors that a broker would answer this request with, and that pass.
        public var passingFaults: [Fault] {
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

    /// Errors of Kafka's protocol that pass: clients try again.
    public enum Fault: Sendable, CaseIterable {
        /// The broker hangs up.
        case disconnect
        case notLeader
        case notCoordinator
        case coordinatorLoading
        case noCoordinator
        case notEnoughReplicas
        case requestTimedOut

        var code: rd_kafka_resp_err_t {
            switch self {
            case .disconnect: RD_KAFKA_RESP_ERR__TRANSPORT
            case .notLeader: RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION
            case .notCoordinator: RD_KAFKA_RESP_ERR_NOT_COORDINATOR
            case .coordinatorLoading: RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS
            case .noCoordinator: RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE
            case .notEnoughReplicas: RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS
            case .requestTimedOut: RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT
            }
        }
    }

    /// - Throws: a description where librdkafka cannot listen on loopback.
    public init(brokers: Int) throws {
        do {
            handle = try ClientHandle(.producer, ["client.id": "mock"], ClientContext { _ in })
            guard let cluster = rd_kafka_mock_cluster_new(try handle.live(), Int32(clamping: brokers)) else {
                throw KafkaSettingsError("the mock cluster could not be started")
            }
            self.cluster = cluster
            self.brokers = 1...max(1, Int32(clamping: brokers))
        } catch let fault as KafkaFault {
            throw KafkaSettingsError(fault.text)
        }
    }

    /// On a thread of its own: it waits for the cluster's threads.
    deinit { ClientDisposer.dispose(MockRemains(handle, cluster)) }

    /// "host:port,host:port".
    public var servers: String { rd_kafka_mock_cluster_bootstraps(cluster).map { String(cString: $0) } ?? "" }

    public func create(topic: String, partitions: Int32, copies: Int32 = 1) {
        _ = rd_kafka_mock_topic_create(cluster, topic, partitions, copies)
    }

    /// The next requests of that kind, to any broker, are answered by these errors.
    public func inject(_ faults: [Fault], into request: Request) {
        let codes = faults.map(\.code)
        rd_kafka_mock_push_request_errors_array(cluster, request.rawValue, codes.count, codes)
    }

    public func clearFaults() {
        for request in Request.allCases { rd_kafka_mock_clear_request_errors(cluster, request.rawValue) }
    }

    /// Hangs up and takes no connections.
    ///
    /// - Parameter broker: from 1; nil for all.
    public func takeDown(broker: Int32? = nil) { _ = rd_kafka_mock_broker_set_down(cluster, broker ?? -1) }
    public func bringUp(broker: Int32? = nil) { _ = rd_kafka_mock_broker_set_up(cluster, broker ?? -1) }

    public func delay(broker: Int32? = nil, by time: Duration) {
        _ = rd_kafka_mock_broker_set_rtt(cluster, broker ?? -1, time.wholeMilliseconds)
    }

    /// - Parameter broker: from 1. One that does not exist would end the process: nothing is done.
    public func move(coordinatorOf group: String, to broker: Int32) {
        guard brokers.contains(broker) else { return }
        _ = rd_kafka_mock_coordinator_set(cluster, "group", group, broker)
    }

    public func move(leaderOf topic: String, partition: Int32, to broker: Int32) {
        guard brokers.contains(broker) else { return }
        _ = rd_kafka_mock_partition_set_leader(cluster, topic, partition, broker)
    }
}

/// A mock cluster that nobody uses any more.
private final class MockRemains: Disposable {
    private let handle: ClientHandle
    private let cluster: OpaquePointer

    init(_ handle: ClientHandle, _ cluster: OpaquePointer) {
        self.handle = handle
        self.cluster = cluster
    }

    func abandon() {
        rd_kafka_mock_cluster_destroy(cluster)
        handle.destroy()
    }
}
