import Broker
import BrokerConformance
import Testing

@Suite("The broker suite")
struct MockConformanceTests {
    @Test("holds for Kafka, over librdkafka's mock cluster", arguments: BrokerConformance.cases)
    func mock(item: ConformanceCase) async throws {
        if item.applies(to: BackEnds.mock) { try await item.run(on: BackEnds.mock) }
    }
}
