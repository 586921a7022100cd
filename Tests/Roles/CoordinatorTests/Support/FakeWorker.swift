import Broker
import Jobs
import Manifests
import Records
import Synchronization

/// Takes jobs like a worker, and answers each manifest like the cataloguer. A job without an outcome is lost without a
/// manifest.
struct FakeWorker: Sendable {
    let transport: any Transport
    let outcome: @Sendable (Job) -> Manifest.Outcome?
    /// Reason why the library refuses a job's photo; nil if it accepts it.
    var refusal: @Sendable (Job) -> Refusal? = { _ in nil }
    let log: Log

    final class Log: Sendable {
        private let seen = Mutex<[(job: Job, key: [UInt8])]>([])
        private let answered = Mutex<[Int32: Int64]>([:])

        var jobs: [Job] { seen.withLock { $0.map(\.job) } }
        /// The keys of the jobs' records.
        var keys: [[UInt8]] { seen.withLock { $0.map(\.key) } }
        func add(_ job: Job, key: [UInt8]) { seen.withLock { $0.append((job, key)) } }

        /// Records that a manifest is answered, and returns the offsets before which all are.
        func answer(_ position: Position) -> [Int32: Int64] {
            answered.withLock { answered in
                answered[position.partition.partition] = position.offset + 1
                return answered
            }
        }
    }

    init(
        _ transport: any Transport, log: Log = Log(),
        outcome: @escaping @Sendable (Job) -> Manifest.Outcome? = { Example.completed(recipe: $0.recipe) }
    ) {
        self.transport = transport
        self.log = log
        self.outcome = outcome
    }

    static let group: @Sendable (String) -> String = { "\($0).workers" }

    /// Works while `body` runs.
    func during<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for topic in [Topics.interactiveJobs, Topics.bulkJobs] { group.addTask { try await self.work(topic) } }
            let value = try await body()
            group.cancelAll()
            return value
        }
    }

    private func work(_ topic: String) async throws {
        let consumer = try await transport.consumer(group: Self.group(topic), topics: [topic], inFlight: 100)
        let producer = try await transport.producer()
        while !Task.isCancelled {
            for delivery in try await consumer.poll(limit: 50, wait: .milliseconds(20)) {
                let job = try Job(record: delivery.record.value ?? [])
                log.add(job, key: delivery.record.key)
                if let outcome = outcome(job) { try await end(job, outcome, delivery.record.key, producer) }
                await consumer.finish(delivery.position)
            }
            try await consumer.commit()
        }
        await consumer.close()
    }

    private func end(
        _ job: Job, _ outcome: Manifest.Outcome, _ key: [UInt8], _ producer: any Producer
    ) async throws {
        let manifest = Example.manifest(job, outcome)
        let positions = try await producer.send([Record(key: key, value: manifest.encoded())], to: Topics.manifests)
        guard let position = positions.first else { return }
        let results = JobResults(
            results: [JobResult(of: manifest, refusal: refusal(job))], cluster: try await transport.clusterID(),
            answered: log.answer(position), highestPrecedence: job.precedence)
        _ = try await producer.send(results.records().map { Record(key: [], value: $0) }, to: Topics.results)
    }
}
