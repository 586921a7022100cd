internal import Broker
internal import CRdKafka
internal import Synchronization

/// What librdkafka's callbacks of one client are told, from whichever thread.
///
/// `@unchecked Sendable`: `onRebalance` is written once, before the client's first poll, and called by its polls only,
/// which come from one thread; all else is constant or behind the mutex.
final class ClientContext: @unchecked Sendable {
    /// How the client is, as far as it said.
    struct Health: Hashable, Sendable {
        /// Not cleared by later successes: `since` says how old it is.
        var problem: KafkaFault?
        var fatal: KafkaFault?
        /// When there last was a coordinator (of a group's member), or a broker (of the others).
        var lastSeenWell: ContinuousClock.Instant
        /// As the latest statistics told.
        var isWell = false
    }

    enum Rebalance: Hashable, Sendable {
        case assigned([TopicPartition])
        case revoked([TopicPartition], lost: Bool)
    }

    private let state: Mutex<Health>
    private let report: @Sendable (KafkaEvent) -> Void
    private let isMember: Bool
    /// Answers where to begin in what was assigned; nil to begin nowhere.
    var onRebalance: ((Rebalance) -> [TopicPartition: Int64]?)?

    /// - Parameter isMember: the client is a member of a consumer group, and not well without its coordinator.
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

    func measured(_ statistics: ClientStatistics) {
        state.withLock { health in
            health.isWell = isMember ? statistics.hasCoordinator : statistics.brokersUp > 0
            if health.isWell { health.lastSeenWell = .now }
        }
    }
}

/// The context of a callback. Nil where librdkafka hands over none, which it does not.
private func context(_ opaque: UnsafeMutableRawPointer?) -> ClientContext? {
    opaque.map { Unmanaged<ClientContext>.fromOpaque($0).takeUnretainedValue() }
}

func logCallback(
    client: OpaquePointer?, level: Int32, facility: UnsafePointer<CChar>?, message: UnsafePointer<CChar>?
) {
    guard let client, let message else { return }
    let facility = facility.map { String(cString: $0) } ?? ""
    // Properties that are the producer's are given to consumers too, and it warns of each. Errors come to the error
    // callback as well.
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

/// Answers 0: librdkafka frees the text.
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
    let partitions = list.map { PartitionList.places($0) } ?? []
    let handler = context(opaque)?.onRebalance
    if code == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS {
        guard let starts = handler?(.assigned(partitions)) else {
            _ = rd_kafka_assign(client, nil)
            return
        }
        // Of the list itself, only the offsets may be changed.
        for index in 0..<partitions.count {
            if let start = starts[partitions[index]] { list?.pointee.elems[index].offset = start }
        }
        _ = rd_kafka_assign(client, list)
    } else {
        // An error of the rebalance itself is told by this callback too: nothing is ours then.
        let revoked = code == RD_KAFKA_RESP_ERR__REVOKE_PARTITIONS
        _ = handler?(.revoked(partitions, lost: !revoked || rd_kafka_assignment_lost(client) != 0))
        _ = rd_kafka_assign(client, nil)
    }
}
