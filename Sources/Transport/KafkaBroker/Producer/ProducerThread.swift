internal import Broker
internal import Concurrency

/// The one thread that hands records to librdkafka and gets their delivery reports.
///
/// A batch is handed over in order, and only while librdkafka's queue has room: memory is bounded by that queue and by
/// what callers wait for. When the idempotent producer dies, which it can, everything it had is answered as failed, and
/// a new one takes its place: whoever sent sends again.
actor ProducerThread {
    private nonisolated let executor = ThreadExecutor(name: "kafka-producer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let core: ProducerCore
    private let settings: KafkaSettings
    /// Batches that were not handed over whole, the first of them from `next` on.
    private var waiting: [SendBatch] = []
    private var next = 0
    /// Batches that were handed over and whose reports are not all there.
    private var open: [SendBatch] = []

    init(_ core: ProducerCore, _ settings: KafkaSettings) {
        self.core = core
        self.settings = settings
    }

    /// Occupies the thread until the producer is closed.
    func run() {
        defer { core.ended() }
        do throws(KafkaFault) {
            var client = try makeClient()
            while let batches = core.takeAll() {
                waiting += batches
                let isFull = handOver(client)
                open.removeAll(where: \.isAnswered)
                client.poll(isFull ? .milliseconds(10) : .seconds(1))
                if let why = whyReplace(client) { client = try replace(client, why) }
            }
            for batch in waiting { batch.giveUp(.closed) }
            abandon(client, .closed)
        } catch {
            core.stop(settings.explain(error))
            for batch in waiting { batch.giveUp(settings.explain(error)) }
        }
    }

    private func makeClient() throws(KafkaFault) -> ProducerClient {
        let client = try ProducerClient(settings.producerProperties, ClientContext(report: settings.report))
        core.listen(at: client.queue)
        return client
    }

    /// Answers whether librdkafka's queue is full.
    private func handOver(_ client: ProducerClient) -> Bool {
        while let batch = waiting.first {
            while next < batch.records.count {
                do throws(KafkaFault) {
                    try client.send(batch.records[next], to: batch.topic, next, of: batch)
                    next += 1
                } catch {
                    if error.kind == .queueFull { return true }
                    batch.failed(from: next, error)
                    next = batch.records.count
                }
            }
            open.append(waiting.removeFirst())
            next = 0
        }
        return false
    }

    private func whyReplace(_ client: ProducerClient) -> String? {
        let health = client.handle.context.health
        if let fatal = health.fatal { return fatal.text }
        let away = ContinuousClock.now - health.lastSeenWell
        return away > settings.times.maxDisconnection ? "no broker for \(away.components.seconds) s" : nil
    }

    private func replace(_ old: ProducerClient, _ why: String) throws(KafkaFault) -> ProducerClient {
        settings.report(.recreated("producer: \(why)"))
        core.count { $0.recreations += 1 }
        // Of the batch in between, some went to the old client: it fails as a whole.
        if next > 0, let batch = waiting.first {
            batch.failed(from: next, .abandoned)
            open.append(waiting.removeFirst())
            next = 0
        }
        abandon(old, .unavailable("Kafka's producer was replaced (\(settings.redact(why))). Send again."))
        return try makeClient()
    }

    /// Every record gets its report, of success or of failure, before the client goes; where librdkafka does not give
    /// one, its sender is answered all the same.
    private func abandon(_ client: ProducerClient, _ error: BrokerError) {
        client.purge()
        let deadline = ContinuousClock.now + .seconds(2)
        while client.outstanding > 0 && ContinuousClock.now < deadline { client.poll(.milliseconds(50)) }
        for batch in open { batch.giveUp(error) }
        open = []
        ClientDisposer.dispose(client)
    }
}
