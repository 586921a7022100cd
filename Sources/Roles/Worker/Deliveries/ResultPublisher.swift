internal import Concurrency
internal import Clock
internal import Broker
internal import Digest
internal import Jobs
internal import Manifests
internal import Records
internal import Telemetry

/// Publishes results of jobs: manifests, retries, and dead letters. Each call returns when the record is durable.
struct ResultPublisher: Sendable {
    let context: WorkerContext
    let producer: any Producer

    private var worker: String { context.settings.name }

    /// Sends a record, and retries while the broker is unavailable and the worker does not abort.
    private func send(_ record: Record, to topic: String) async throws {
        var backoff = Backoff(initial: .milliseconds(200), max: .seconds(5))
        while true {
            do {
                _ = try await producer.send([record], to: topic)
                return
            } catch BrokerError.unavailable(let reason) where !context.state.isAborting {
                context.log.warning(.brokerUnavailable, [.topic: "\(topic)", .message: "\(reason)"])
                try await Task.sleep(for: backoff.nextDelay())
            }
        }
    }

    /// Publishes the manifest that ends the job. A manifest too large for a record becomes a failure.
    func end(
        _ delivery: JobDelivery, _ outcome: Manifest.Outcome, attempts: UInt32
    ) async throws -> Manifest {
        let key = Self.key(delivery.job)
        var manifest = manifest(delivery.job, outcome, attempts)
        if manifest.encoded().count + key.count + Record.maxHeaderBytes > Record.maxBytes {
            let message =
                "\(delivery.job.source.raw.file) contains more pictures than one record can hold. Split the file."
            manifest = self.manifest(delivery.job, .failed(Failure(.tooLarge, message)), attempts)
        }
        // The dead letter goes first: every failed or incomplete job has one. If this worker's report needs
        // confirmation, the coordinator writes it.
        if let failure = manifest.outcome.failure, !failure.reason.needsWitness {
            try await park(delivery.brokerDelivery, failure, attempts: attempts)
        }
        let record = Record(key: key, value: manifest.encoded(), headers: delivery.record.headers())
        try await send(record, to: Topics.manifests)
        return manifest
    }

    /// Publishes the job for a retry, with its record's bytes unchanged. If `isElsewhere`, any worker may get it, not
    /// only the one that gets all tries of this source.
    func retry(_ delivery: JobDelivery, failures: UInt32, delay: Duration, isElsewhere: Bool) async throws {
        let key = isElsewhere ? Self.scatteredKey(delivery) : delivery.record.key
        try await resend(delivery, key: key, failures: failures, delay: delay)
    }

    /// Publishes the job for a try by another worker.
    ///
    /// The job's own key would return it to the same partition and worker, so each pass gets a new key. (Choosing a
    /// partition is not an option: librdkafka before 2.12.0 frees memory twice if the partition does not exist.)
    func pass(_ delivery: JobDelivery, delay: Duration) async throws {
        try await resend(
            delivery, key: Self.scatteredKey(delivery), failures: delivery.failures, delay: delay)
    }

    private static func scatteredKey(_ delivery: JobDelivery) -> [UInt8] {
        let (partition, offset) = (delivery.position.partition, delivery.position.offset)
        return key(delivery.job) + Array("\(partition.topic)/\(partition.partition)/\(offset)".utf8)
    }

    private func resend(_ delivery: JobDelivery, key: [UInt8], failures: UInt32, delay: Duration) async throws {
        let headers = RetryHeader.headers(
            delivery.record, failures: failures, notBefore: WallClock.milliseconds + delay.wholeMilliseconds)
        try await send(Record(key: key, value: delivery.record.value, headers: headers), to: Topics.retry)
    }

    func park(_ delivery: Delivery, _ failure: Failure, attempts: UInt32) async throws {
        let letter = delivery.deadLetter(
            failure, attempts: attempts, worker: worker, parkedMilliseconds: WallClock.milliseconds)
        try await send(letter, to: Topics.deadLetter)
    }

    private func manifest(_ job: Job, _ outcome: Manifest.Outcome, _ attempts: UInt32) -> Manifest {
        Manifest(
            ending: job, attempts: attempts, worker: worker, finishedMilliseconds: WallClock.milliseconds,
            outcome: outcome)
    }

    /// Keeps the manifests of one source in order, regardless of the job record's key.
    private static func key(_ job: Job) -> [UInt8] { job.source.fingerprint.bytes }

    func close() async { await producer.close() }
}
