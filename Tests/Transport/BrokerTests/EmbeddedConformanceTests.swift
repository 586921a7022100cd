import Broker
import BrokerConformance
import Testing

@Suite("Broker conformance")
struct EmbeddedConformanceTests {
    @Test("The embedded broker conforms, on a file", arguments: BrokerConformance.cases)
    func onFile(item: ConformanceCase) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/broker.sqlite"
        let backEnd = BackEnd(
            name: "embedded", capabilities: [.survivesCrash, .trims, .compacts, .commitsWhileRebalancing]
        ) {
            // All acknowledged data is in the files, so a copy of them equals the files after a crash. The first broker
            // still has the originals open.
            BackEnd.Connection(transport: try await EmbeddedBroker.open(path: path)) {
                try folder.copyFiles(named: "broker.sqlite", to: "after.sqlite")
                return try await EmbeddedBroker.open(path: folder.path + "/after.sqlite")
            }
        }
        if item.applies(to: backEnd) { try await item.run(on: backEnd) }
    }

    @Test("The embedded broker conforms, in memory", arguments: BrokerConformance.cases)
    func inMemory(item: ConformanceCase) async throws {
        let backEnd = BackEnd(name: "memory", capabilities: [.trims, .compacts, .commitsWhileRebalancing]) {
            let broker = try await EmbeddedBroker.inMemory()
            return BackEnd.Connection(transport: broker) { broker }
        }
        if item.applies(to: backEnd) { try await item.run(on: backEnd) }
    }
}
