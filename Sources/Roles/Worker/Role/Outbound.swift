internal import Broker
internal import Clock
internal import Concurrency
internal import Digest
internal import Jobs
internal import Manifests
internal import Records
internal import Telemetry

/// Sends what the worker has to say, and waits until it is durable.
struct Outbound: Sendable {
    let producer: any Producer
    let worker: String
    let log: Logger
    let isAborted: AbortFlag

    /// Sends again while the broker cannot be reached and nobody wants an end.
    ///
    /// - Throws: what sending again does not cure.
    func send(_ record: Record, to topic: String) async throws {
        var backoff = Backoff(initial: .milliseconds(200), max: .seconds(5))
        while true {
            do {
                _ = try await producer.send([record], to: topic)
                return
            } catch BrokerError.unavailable(let why) where !isAborted.isSet {
                log.warning(.brokerUnavailable, [.topic: "\(topic)", .message: "\(why)"])
                try await Task.sleep(for: backoff.nextDelay())
            }
        }
    }

    /// The manifest that ends the job; one too large for a record becomes a failure that says so.
    func end(
        _ ticket: JobDelivery, _ outcome: Manifest.Outcome, attempts: UInt32
    ) async throws -> Manifest {
        var manifest = manifest(ticket.job, outcome, attempts)
        if manifest.encoded().count + Self.key(ticket.job).count + Record.headerRoomBytes > Record.largestBytes {
            let words = "\(ticket.job.source.raw.file) holds more pictures than one record can name. Split the file."
            manifest = self.manifest(ticket.job, .failed(Failure(.tooLarge, words)), attempts)
        }
        // The dead letter first: a job that is closed as failed has one.
        if case .failed(let failure) = manifest.outcome { try await park(ticket.delivery, failure, attempts) }
        let record = Record(
            key: Self.key(ticket.job), value: manifest.encoded(), headers: ticket.delivery.record.headers())
        try await send(record, to: Topics.manifests)
        return manifest
    }

    /// One more try: the job's own bytes, as they came.
    func retry(_ ticket: JobDelivery, failures: UInt32, delay: Duration) async throws {
        try await sendAgain(ticket, key: ticket.delivery.record.key, failures: failures, delay: delay)
    }

    /// One more try by another worker: a key of its own each time has the record go to any partition, where the job's
    /// would bring it back to the one whose worker has just given it away. (Naming the partition is out of the
    /// question: librdkafka before 2.12.0 frees twice where it is not there.)
    func pass(_ ticket: JobDelivery, delay: Duration) async throws {
        let position = ticket.delivery.position
        let place = "\(position.partition.topic)/\(position.partition.partition)/\(position.offset)"
        let key = Self.key(ticket.job) + Array(place.utf8)
        try await sendAgain(ticket, key: key, failures: ticket.failures, delay: delay)
    }

    private func sendAgain(_ ticket: JobDelivery, key: [UInt8], failures: UInt32, delay: Duration) async throws {
        let record = ticket.delivery.record
        let headers = RetryHeader.headers(
            record, failures: failures, notBefore: WallClock.milliseconds + delay.wholeMilliseconds)
        try await send(Record(key: key, value: record.value, headers: headers), to: Topics.retry)
    }

    /// Keeps a record that nobody could finish.
    func park(_ delivery: Delivery, _ failure: Failure, _ attempts: UInt32) async throws {
        let position = delivery.position
        let letter = DeadLetter(
            topic: position.partition.topic, partition: position.partition.partition, offset: position.offset,
            key: delivery.record.key, value: delivery.record.value, failure: failure, attempts: attempts,
            worker: worker, parkedMilliseconds: WallClock.milliseconds)
        try await send(
            Record(key: letter.key, value: letter.encoded(), headers: delivery.record.headers()),
            to: Topics.deadLetter)
    }

    private func manifest(_ job: Job, _ outcome: Manifest.Outcome, _ attempts: UInt32) -> Manifest {
        Manifest(
            ending: job, attempts: attempts, worker: worker, finishedMilliseconds: WallClock.milliseconds,
            outcome: outcome)
    }

    /// Manifests of one source keep their order, whatever key a record of its job had on its way.
    private static func key(_ job: Job) -> [UInt8] { job.source.fingerprint.bytes }
}
