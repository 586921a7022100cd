internal import Broker
internal import CRdKafka
internal import Synchronization

/// Receives the callbacks of one librdkafka client, on any thread.
///
/// `@unchecked Sendable`: `onRebalance` is set before the client's first poll, called only by polls, and cleared after
/// the last one, when the client is destroyed. Everything else is constant or guarded by the mutex.
final class ClientContext: @unchecked Sendable {
    /// The state of the client, from its errors and statistics.
    struct Health: Hashable, Sendable {
        /// The latest error. Later successes do not clear it.
        var problem: KafkaFault?
        /// The first fatal error. The client cannot be used after it.
        var fatal: KafkaFault?
        /// When the client was last connected: a group member to its coordinator, any other client to a broker.
        var lastSeenWell: ContinuousClock.Instant
        /// Whether such a connection was there when it was last heard of.
        var isWell = false
        /// The count of ended connections when a connection was reported last; nil before the first.
        var disconnections: Int?
    }

    /// A change of the partitions that a group member owns.
    enum Rebalance: Hashable, Sendable {
        case assigned([TopicPartition])
        /// If they are lost, another member may own them already, and nothing can be committed.
        case revoked([TopicPartition], lost: Bool)
    }

    private let state: Mutex<Health>
    private let report: @Sendable (KafkaEvent) -> Void
    private let isMember: Bool
    /// Returns the offsets at which to begin in the assigned partitions, or nil to read none of them.
    var onRebalance: ((Rebalance) -> [TopicPartition: Int64]?)?

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - isMember: whether the client is a member of a consumer group, which needs its coordinator.
    ///   - report: receives errors and log messages.
    init(isMember: Bool = false, report: @escaping @Sendable (KafkaEvent) -> Void) {
        state = Mutex(Health(lastSeenWell: .now))
        self.isMember = isMember
        self.report = report
    }

    var health: Health { state.withLock { $0 } }

    func failed(_ fault: KafkaFault) {
        state.withLock { health in
            health.problem = fault
            if fault.isFatal { health.fatal = health.fatal ?? fault }
        }
        report(.problem(fault.text))
    }

    func logged(_ text: String) { report(.logged(text)) }

    /// Notes that the cluster answered: a group's coordinator with an assignment, or any broker for a reader. The next statistics
    /// would say so too, but up to two seconds later.
    func answered() {
        state.withLock { health in
            health.isWell = true
            health.lastSeenWell = .now
        }
    }

    /// Reports a connection that was not there before. The first counts too: this client may be a new one in place of
    /// another, or may have lost a connection before these statistics. And a count that fell counts, because librdkafka
    /// drops a broker with its count.
    func measured(_ statistics: ClientStatistics) {
        let hasConnected = state.withLock { health in
            health.isWell = isMember ? statistics.hasCoordinator : statistics.brokersUp > 0
            if health.isWell { health.lastSeenWell = .now }
            guard statistics.brokersUp > 0 else { return false }
            defer { health.disconnections = statistics.disconnections }
            return health.disconnections != statistics.disconnections
        }
        if hasConnected { report(.connected) }
    }
}

/// The context from the pointer that librdkafka passes to a callback. It is never nil in practice.
private func context(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
    opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
}

func logCallback(
    client: OpaquePointer?, level: Int32, facility: UnsafePointer<CChar>?, message: UnsafePointer<CChar>?
) {
    guard let client, let message else { return }
    let facility = facility.map { String(cString: $0) } ?? ""
    // Consumers get the producer's properties too, and librdkafka warns about each of them (CONFWARN). The error
    // callback receives the errors (ERROR, FAIL) as well.
    guard facility != "CONFWARN", facility != "ERROR", facility != "FAIL" else { return }
    context(rd_kafka_opaque(client))?.logged("\(facility): \(String(cString: message))")
}

func errorCallback(
    client: OpaquePointer?, code: Int32, message: UnsafePointer<CChar>?, opaque: UnsafeMutableRawPointer?
) {
    let text = message.map { String(cString: $0) }
    let error = rd_kafka_resp_err_t(rawValue: code)
    guard error == RD_KAFKA_RESP_ERR__FATAL, let client else {
        context(opaque)?.failed(KafkaFault(error, text))
        return
    }
    var message = [CChar](repeating: 0, count: 512)
    let cause = rd_kafka_fatal_error(client, &message, message.count)
    context(opaque)?.failed(KafkaFault(cause, String(terminated: message), isFatal: true))
}

/// Returns 0, so librdkafka frees the JSON text.
func statisticsCallback(
    client: OpaquePointer?, json: UnsafeMutablePointer<CChar>?, count: Int, opaque: UnsafeMutableRawPointer?
) -> Int32 {
    guard let json else { return 0 }
    let bytes = UnsafeRawBufferPointer(start: json, count: count)
    context(opaque)?.measured(ClientStatistics(bytes))
    return 0
}

func rebalanceCallback(
    client: OpaquePointer?, code: rd_kafka_resp_err_t, list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
    opaque: UnsafeMutableRawPointer?
) {
    guard let client else { return }
    let partitions = list.map { PartitionList.partitions($0) } ?? []
    let handler = context(opaque)?.onRebalance
    if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
        context(opaque)?.answered()
        guard let starts = handler?(.assigned(partitions)) else {
            _ = rd_kafka_assign(client, nil)
            return
        }
        // librdkafka allows us to change only the offsets in its list.
        for index in 0..<partitions.count {
            if let start = starts[partitions[index]] { list?.pointee.elems[index].offset = start }
        }
        _ = rd_kafka_assign(client, list)
    } else {
        // A code other than a revocation is an error of the rebalance itself. We own no partitions then.
        let revoked = code == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS
        _ = handler?(.revoked(partitions, lost: !revoked || rd_kafka_assignment_lost(client) != 0))
        _ = rd_kafka_assign(client, nil)
    }
}
