import Broker
import BrokerConformance
import Testing

@Suite("The broker suite")
struct EmbeddedConformanceTests {
    @Test("holds for the embedded broker on a file", arguments: BrokerConformance.cases)
    func onFile(item: ConformanceCase) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/broker.sqlite"
        let backEnd = BackEnd(
            name: "embedded", capabilities: [.survivesCrash, .trims, .compacts, .commitsWhileRebalancing]
        ) {
            // Nothing is held in memory that was acknowledged, so a copy of the files as they stand is what a crash
            // leaves; the first broker still has the originals open.
            BackEnd.Connection(transport: try await EmbeddedBroker.open(path: path)) {
                try folder.copyFiles(named: "broker.sqlite", to: "after.sqlite")
                return try await EmbeddedBroker.open(path: folder.path + "/after.sqlite")
            }
        }
        try await item.run(on: backEnd)
    }

    @Test("holds for the embedded broker in memory", arguments: BrokerConformance.cases)
    func inMemory(item: ConformanceCase) async throws {
        let backEnd = BackEnd(name: "memory", capabilities: [.trims, .compacts, .commitsWhileRebalancing]) {
            let broker = try await EmbeddedBroker.inMemory()
            return BackEnd.Connection(transport: broker) { broker }
        }
        if item.applies(to: backEnd) { try await item.run(on: backEnd) }
    }
}
