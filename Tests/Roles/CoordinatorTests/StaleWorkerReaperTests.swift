import Broker
import Testing

@testable import Coordinator

@Suite("The roll of workers")
struct WorkerRollTests {
    @Test("loses those that were silent for long, and those alone")
    func strikesOff() async throws {
        let broker = try await EmbeddedBroker.inMemory()
        try await broker.create(Topics.onCluster(partitions: 1))
        let producer = try await broker.producer()
        func say(_ worker: String, _ value: [UInt8]?) async throws {
            _ = try await producer.send([Record(key: Array(worker.utf8), value: value)], to: Topics.workers)
        }
        let stranger = String(repeating: "x", count: 2000)
        try await say(stranger, [1])
        try await say("killed", [1])
        try await say("left", [1])
        try await say("left", nil)
        var settings = RunSettings(workersGroup: FakeWorker.group)
        settings.workerTimeout = .seconds(2)
        let roll = StaleWorkerReaper(transport: broker, settings: settings, report: { _ in })
        let keeping = Task { try await roll.run(meet: {}) }
        let reader = try await broker.reader(topic: Topics.workers, from: [:])
        var said: [[UInt8]: Int64] = [:]
        var struckOff: Set<[UInt8]> = []
        let end = ContinuousClock.now + .seconds(60)
        while struckOff.isEmpty, ContinuousClock.now < end {
            try await say("alive", [1])
            for delivery in try await reader.poll(limit: 100, wait: .milliseconds(100)) {
                let (key, time) = (delivery.record.key, delivery.timestampMilliseconds)
                if delivery.record.value == nil, key != Array("left".utf8) {
                    struckOff.insert(key)
                    #expect(time - (said[key] ?? time) >= 2000)
                }
                said[key] = time
            }
        }
        #expect(struckOff == [Array("killed".utf8)], "a name that long is no worker's")
        keeping.cancel()
        _ = await keeping.result
    }
}
