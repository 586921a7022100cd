internal import Broker
internal import CRdKafka
internal import Synchronization

/// Receives the callbacks of one librdkafka client, on any thread.
///
/// `@unchecked Sendable`: `onRebalance` is set before the client's first poll, called only by polls, and cleared after
/// the last one, when the client is destroyed. Everything else is constant or guarded by the mutex.
final class ClientContext: @unchecked Sendable {
    struct Health: Hashable, Sendable {
        /// The latest error. Later successes do not clear it.
        var problem: KafkaFault?
        /// The first fatal error. The client cannot be used after it.
        var fatal: KafkaFault?
        /// When the client was last connected: a group member to its coordinator, any other client to a broker.
        var lastSeenWell: ContinuousClock.Instant
        var isWell = false
        /// The count of ended connections at the last reported connection; nil before the first.
        var disconnections: Int?
    }

    enum Rebalance: Hashable, Sendable {
        case assigned([TopicPartition])
        /// If `lost`, another member may already own them, and nothing can be committed.
        case revoked([TopicPartition], lost: Bool)
    }

    private let state: Mutex<Health>
    private let report: @Sendable (KafkaEvent) -> Void
    private let isMember: Bool
    /// Returns the offsets at which to begin in the assigned partitions, or nil to read none of them.
    var onRebalance: ((Rebalance) -> [TopicPartition: Int64]?)?

    /// - Parameter isMember: whether the client is a member of a consumer group, and so needs its coordinator.
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

    /// Records that the cluster responded: a group's coordinator with an assignment, or any broker for a reader. The
    /// next statistics would report it up to two seconds later.
    func answered() {
        state.withLock { health in
            health.isWell = true
            health.lastSeenWell = .now
        }
    }

    /// Reports a new connection. The first one also counts: this client may replace another one, or may have lost a
    /// connection before these statistics. A lower count is a new connection too, because librdkafka drops a broker
    /// together with its count.
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

/// The context of the pointer that librdkafka passes to a callback. In practice it is never nil.
private func context(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
    unsafe opaque.map { unsafe Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
}

func logCallback(
    client: OpaquePointer?, level: Int32, facility: UnsafePointer<CChar>?, message: UnsafePointer<CChar>?
) {
    guard let client = unsafe client, let message = unsafe message else { return }
    let facility = unsafe facility.map { unsafe String(cString: $0) } ?? ""
    // Consumers get the producer's properties too, and librdkafka warns about each of them (CONFWARN). Errors (ERROR,
    // FAIL) also reach the error callback.
    guard facility != "CONFWARN", facility != "ERROR", facility != "FAIL" else { return }
    unsafe context(rd_kafka_opaque(client))?.logged(unsafe "\(facility): \(String(cString: message))")
}

func errorCallback(
    client: OpaquePointer?, code: Int32, message: UnsafePointer<CChar>?, opaque: UnsafeMutableRawPointer?
) {
    let text = unsafe message.map { unsafe String(cString: $0) }
    let error = rd_kafka_resp_err_t(rawValue: code)
    guard error == RD_KAFKA_RESP_ERR__FATAL, let client = unsafe client else {
        unsafe context(opaque)?.failed(KafkaFault(error, text))
        return
    }
    var message = [CChar](repeating: 0, count: 512)
    let cause = unsafe rd_kafka_fatal_error(client, &message, message.count)
    unsafe context(opaque)?.failed(KafkaFault(cause, String(terminated: message), isFatal: true))
}

/// Returns 0, so librdkafka frees the JSON text.
func statisticsCallback(
    client: OpaquePointer?, json: UnsafeMutablePointer<CChar>?, count: Int, opaque: UnsafeMutableRawPointer?
) -> Int32 {
    guard let json = unsafe json else { return 0 }
    let bytes = unsafe UnsafeRawBufferPointer(start: json, count: count)
    unsafe context(opaque)?.measured(ClientStatistics(bytes))
    return 0
}

func rebalanceCallback(
    client: OpaquePointer?, code: rd_kafka_resp_err_t, list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
    opaque: UnsafeMutableRawPointer?
) {
    guard let client = unsafe client else { return }
    let partitions = unsafe list.map { unsafe PartitionList.partitions($0) } ?? []
    let handler = unsafe context(opaque)?.onRebalance
    if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
        unsafe context(opaque)?.answered()
        guard let starts = handler?(.assigned(partitions)) else {
            _ = unsafe rd_kafka_assign(client, nil)
            return
        }
        // librdkafka allows only the offsets in its list to be changed.
        for index in 0..<partitions.count {
            if let start = starts[partitions[index]] { unsafe list?.pointee.elems[index].offset = start }
        }
        _ = unsafe rd_kafka_assign(client, list)
    } else {
        // Any other code is an error of the rebalance. The member then owns no partitions.
        let revoked = code == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS
        _ = unsafe handler?(.revoked(partitions, lost: !revoked || rd_kafka_assignment_lost(client) != 0))
        _ = unsafe rd_kafka_assign(client, nil)
    }
}
