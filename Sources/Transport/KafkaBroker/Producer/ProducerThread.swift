internal import Broker
internal import Concurrency

/// The thread that hands records to librdkafka and receives their delivery reports.
///
/// The records of a batch are handed over in order, and only while librdkafka's queue is not full. So that queue and
/// the waiting calls of `send` bound the memory.
///
/// An idempotent producer can fail fatally. Its outstanding records then fail, and a new client replaces it. The
/// callers must send those records again.
actor ProducerThread {
    private nonisolated let executor = ThreadExecutor(name: "kafka-producer")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let core: ProducerCore
    private let settings: KafkaSettings
    private let deadline: TransportDeadline
    /// Batches that librdkafka does not have completely. Of the first one, it lacks the records from index `next` on.
    private var waiting: [SendBatch] = []
    private var next = 0
    /// Batches that librdkafka has completely and that still lack delivery reports.
    private var open: [SendBatch] = []

    init(_ core: ProducerCore, _ settings: KafkaSettings, _ deadline: TransportDeadline) {
        self.core = core
        self.settings = settings
        self.deadline = deadline
    }

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
            for batch in waiting { batch.giveUp(BrokerError.closed) }
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

    /// Hands waiting records to librdkafka. Returns true if its queue became full.
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
        // The old client already has a part of the first batch, so the whole batch fails.
        if next > 0, let batch = waiting.first {
            batch.failed(from: next, .abandoned)
            open.append(waiting.removeFirst())
            next = 0
        }
        abandon(old, .unavailable("Kafka's producer was replaced (\(settings.redact(why))). Send again."))
        return try makeClient()
    }

    /// Collects the last delivery reports and disposes of the client. Batches that still lack reports after two seconds
    /// fail with `error`.
    private func abandon(_ client: ProducerClient, _ error: BrokerError) {
        client.purge()
        let end = deadline.limited(.now + .seconds(2))
        while client.outstanding > 0 && ContinuousClock.now < end { client.poll(.milliseconds(50)) }
        for batch in open { batch.giveUp(error) }
        open = []
        ClientDisposer.dispose(client)
    }
}
