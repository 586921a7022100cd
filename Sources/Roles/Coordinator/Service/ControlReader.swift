internal import Broker
internal import Jobs
internal import Manifests
internal import Records

/// Does what the control topic says, in its order. Of each record, in steps: (1) what it says is done, durably; (2) the
/// place behind it is noted. A crash between the two does it again, which changes nothing.
struct ControlReader {
    let ledger: Ledger
    let transport: any Transport
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    func run(meet: @Sendable () async throws -> Void) async throws {
        try await persisting(report: report) {
            try await meet()
            let cluster = try await transport.clusterID()
            let offsets = try await ledger.perform { try $0.controlOffsets(cluster) }
            try await transport.withReader(topic: Topics.control, from: offsets) { reader in
                try await transport.withProducer { producer in
                    while !Task.isCancelled {
                        for delivery in try await reader.poll(limit: 100, wait: .milliseconds(500)) {
                            try await take(delivery, of: cluster, producer)
                        }
                    }
                }
            }
        }
    }

    private func take(_ delivery: Delivery, of cluster: String, _ producer: any Producer) async throws {
        switch Self.read(delivery) {
        case .success(let control): try await obey(control, delivery, producer)
        case .failure(let error):
            try await park(delivery, error, producer)
            await report(.unreadableControl(delivery.position, error))
        }
        let position = delivery.position
        try await ledger.perform {
            try $0.passControl(cluster, partition: position.partition.partition, to: position.offset + 1)
        }
    }

    private static func read(_ delivery: Delivery) -> Result<Control, RecordError> {
        Result { () throws(RecordError) in
            guard let value = delivery.record.value else { throw .malformed("it has no value") }
            return try Control(record: value)
        }
    }

    private func obey(_ control: Control, _ delivery: Delivery, _ producer: any Producer) async throws {
        switch control {
        case .submit(let order):
            let trace = delivery.record.text(of: JobHeader.traceparent)
            if try await ledger.perform({ try $0.take(order, traceparent: trace) }) {
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

    /// An unknown batch is no fault of the service: the word changes nothing then.
    private static func apply(_ control: Control, to store: LedgerStore) throws {
        do {
            switch control {
            case .pause(nil): try store.pauseAll()
            case .pause(let batch?): try store.pause(batch)
            case .resume(nil): try store.resumeAll()
            case .resume(let batch?): try store.resume(batch)
            case .cancel(let batch):
                // One that is being planned may have no batch yet, or be one already.
                _ = try store.cancelOrder(batch)
                try store.cancel(batch)
            case .retry(let choice): _ = try store.retry(choice)
            case .submit, .drain: break
            }
        } catch LedgerError.unknownBatch {}
    }

    private func park(_ delivery: Delivery, _ error: RecordError, _ producer: any Producer) async throws {
        let position = delivery.position
        let letter = DeadLetter(
            topic: position.partition.topic, partition: position.partition.partition, offset: position.offset,
            key: delivery.record.key, value: delivery.record.value, failure: error.failure, attempts: 0,
            worker: "coordinator", parkedMilliseconds: delivery.timestampMilliseconds)
        let record = Record(key: letter.key, value: letter.encoded(), headers: delivery.record.headers())
        _ = try await producer.send([record], to: Topics.deadLetter)
    }
}
