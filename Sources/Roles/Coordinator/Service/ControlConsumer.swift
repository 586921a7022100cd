internal import Broker
internal import Jobs
internal import Manifests
internal import Records

/// Carries out the commands of the control topic in their order. For each record: (1) the command is carried out,
/// durably; (2) the offset after it is stored. A crash between the two repeats the command, which changes nothing.
struct ControlConsumer {
    let ledger: Ledger
    let transport: any Transport
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    ///
    /// - Parameter connect: called before each attempt to read from the broker.
    func run(connect: @Sendable () async throws -> Void) async throws {
        try await retryingWhileUnavailable(report: report) {
            try await connect()
            let cluster = try await transport.clusterID()
            let offsets = try await ledger.perform { try $0.offsets.control(of: cluster) }
            try await transport.withReader(topic: Topics.control, from: offsets) { reader in
                try await transport.withProducer { producer in
                    while !Task.isCancelled {
                        for delivery in try await reader.poll(limit: 100, wait: .milliseconds(500)) {
                            try await handle(delivery, of: cluster, producer)
                        }
                    }
                }
            }
        }
    }

    private func handle(_ delivery: Delivery, of cluster: String, _ producer: any Producer) async throws {
        switch Self.decode(delivery) {
        case .success(let control): try await carryOut(control, delivery, producer)
        case .failure(let error):
            try await producer.park(
                delivery, error.failure, role: "coordinator", atMilliseconds: delivery.timestampMilliseconds)
            await report(.unreadableControl(delivery.position, error))
        }
        let position = delivery.position
        try await ledger.perform {
            try $0.offsets.noteControl(
                of: cluster, partition: position.partition.partition, next: position.offset + 1)
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
            if try await ledger.perform({ try $0.orders.add(order, traceparent: trace) }) {
                await report(.ordered(order, traceparent: trace))
            }
            return
        case .drain(let worker):
            let subject = StatusSubject.drain(worker: worker)
            _ = try await producer.send([Record(key: subject.key, value: control.encoded())], to: Topics.status)
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
            case .submit, .drain: break
            }
        } catch LedgerError.unknownBatch {}
    }
}
