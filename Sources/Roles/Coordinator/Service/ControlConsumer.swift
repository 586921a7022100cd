internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records

/// Executes the commands of the control topic in their order. For each record, (1) the command is executed durably; (2)
/// the offset after it is stored. A crash between the two repeats the command, which changes nothing.
struct ControlConsumer {
    let ledger: Ledger
    let transport: any Transport
    var heartbeat = Heartbeat()
    var writes = StatusTopicWrites()
    let report: @Sendable (RunEvent) async -> Void

    private static let loop = "orders"

    /// Runs until the task is cancelled. `connect` is called before each attempt to read from the broker.
    func run(connect: @Sendable () async throws -> Void) async throws {
        defer { heartbeat.rest(Self.loop) }
        try await retryingWhileUnavailable(report: report) {
            heartbeat.beat(Self.loop, extra: BrokerHandshake.maxTime)
            try await connect()
            let cluster = try await transport.clusterID()
            try await transport.withReader(topic: Topics.control, continuing: try await position(in: cluster)) {
                reader in
                try await transport.withProducer { producer in
                    while !Task.isCancelled {
                        heartbeat.beat(Self.loop)
                        for delivery in try await reader.poll(limit: 100, wait: .milliseconds(500)) {
                            try await handle(delivery, of: cluster, producer)
                            heartbeat.beat(Self.loop)
                        }
                    }
                }
            }
        }
    }

    /// Where to continue reading. Offsets of a topic that was created again are deleted.
    private func position(in cluster: String) async throws -> StoredPosition {
        let position = try await ledger.perform { try $0.offsets.controlPosition(of: cluster) }
        let changes = try await transport.changes(of: Topics.control, since: position)
        return try await ledger.perform { store in
            try store.offsets.applyToControl(of: cluster, changes)
            return try store.offsets.controlPosition(of: cluster)
        }
    }

    private func handle(_ delivery: Delivery, of cluster: String, _ producer: any Producer) async throws {
        switch Self.decode(delivery) {
        case .success(let control):
            try await carryOut(control, delivery, producer)
            ledger.changes.signal()
        case .failure(let error):
            try await producer.park(
                delivery, error.failure, role: "coordinator", atMilliseconds: delivery.timestampMilliseconds)
            await report(.unreadableControl(delivery.position, error))
        }
        try await ledger.perform {
            try $0.offsets.noteControl(
                of: cluster, partition: delivery.position.partition.partition, KnownRecord(delivery))
        }
    }

    private static func decode(_ delivery: Delivery) -> Result<Control, RecordError> {
        Result { () throws(RecordError) in
            guard let value = delivery.record.value else { throw .malformed("it has no value") }
            return try Control(record: value)
        }
    }

    private func carryOut(_ control: Control, _ delivery: Delivery, _ producer: any Producer) async throws {
        switch control {
        case .submit(let order):
            let trace = delivery.record.text(of: JobHeader.traceparent)
            for order in try await ledger.perform({ try $0.keep(order, traceparent: trace) }) {
                await report(.ordered(order, traceparent: trace))
            }
            return
        case .sources(let part):
            return try await ledger.perform { try $0.orders.add(part, now: WallClock.milliseconds) }
        case .drain(let worker):
            let subject = StatusSubject.drain(worker: worker)
            writes.noteBeside(
                try await producer.send([Record(key: subject.key, value: control.encoded())], to: Topics.status))
        default: try await ledger.perform { try Self.apply(control, to: $0) }
        }
        await report(.controlled(control))
    }

    /// A command for an unknown batch changes nothing.
    private static func apply(_ control: Control, to store: LedgerStore) throws {
        do {
            switch control {
            case .pause(nil): try store.operatorState.pauseAll()
            case .pause(let batch?): try store.control.pause(batch)
            case .resume(nil): try store.operatorState.resumeAll()
            case .resume(let batch?): try store.control.resume(batch)
            case .cancel(let batch):
                // While an order is planned, its batch may or may not exist yet.
                try store.orders.cancel(batch)
                try store.control.cancel(batch)
            case .retry(let choice): _ = try store.control.retry(choice)
            case .sources, .submit, .drain: break
            }
        } catch LedgerError.unknownBatch {}
    }
}
