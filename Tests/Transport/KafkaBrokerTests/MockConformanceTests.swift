import BrokerConformance
import Testing

@Suite("The broker suite")
struct MockConformanceTests {
    @Test("holds for Kafka, over librdkafka's mock cluster")
    func mock() async {
        await BrokerConformance.run(on: BackEnds.mock) { Issue.record("\($0): \($1)") }
    }
}
