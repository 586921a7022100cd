import Broker
import Testing

@testable import Coordinator

@Suite("Removing stale workers")
struct StaleWorkerReaperTests {
    @Test("removes workers without a heartbeat for long, and no others", .timeLimit(.minutes(3)))
    func removal() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.cluster(partitions: 1))
        let producer = try await broker.producer()
        func send(_ worker: String, _ value: [UInt8]?) async throws {
            _ = try await producer.send([Record(key: Array(worker.utf8), value: value)], to: Topics.workers)
        }
        let longName = String(repeating: "x", count: 2000)
        try await send(longName, [1])
        try await send("killed", [1])
        try await send("left", [1])
        try await send("left", nil)
        var settings = RunSettings(workersGroup: FakeWorker.group)
        settings.workerTimeout = .seconds(2)
        let reaper = StaleWorkerReaper(transport: broker, settings: settings, report: { _ in })
        let running = Task { try await reaper.run(connect: {}) }
        let reader = try await broker.reader(topic: Topics.workers, from: [:])
        var lastSent: [[UInt8]: Int64] = [:]
        var removed: Set<[UInt8]> = []
        let end = ContinuousClock.now + .seconds(60)
        while removed.isEmpty, ContinuousClock.now < end {
            try await send("alive", [1])
            for delivery in try await reader.poll(limit: 100, wait: .milliseconds(100)) {
                let (key, time) = (delivery.record.key, delivery.timestampMilliseconds)
                if delivery.record.value == nil, key != Array("left".utf8) {
                    removed.insert(key)
                    #expect(time - (lastSent[key] ?? time) >= 2000)
                }
                lastSent[key] = time
            }
        }
        #expect(removed == [Array("killed".utf8)], "a key this long does not belong to a worker")
        running.cancel()
        _ = await running.result
    }
}
