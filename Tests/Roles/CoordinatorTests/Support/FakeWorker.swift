import Broker
import Jobs
import Manifests
import Records
import Synchronization

/// Takes jobs like a worker and ends each with an outcome; without one the job is lost without a manifest.
struct FakeWorker: Sendable {
    let transport: any Transport
    let outcome: @Sendable (Job) -> Manifest.Outcome?
    let log: Log

    final class Log: Sendable {
        private let seen = Mutex<[Job]>([])

        var jobs: [Job] { seen.withLock { $0 } }
        func add(_ job: Job) { seen.withLock { $0.append(job) } }
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
                log.add(job)
                if let outcome = outcome(job) {
                    let manifest = Example.manifest(job, outcome)
                    _ = try await producer.send(
                        [Record(key: delivery.record.key, value: manifest.encoded())], to: Topics.manifests)
                }
                await consumer.finish(delivery.position)
            }
            try await consumer.commit()
        }
        await consumer.close()
    }
}
