import ExternalTools
import BrokerConformance
import Testing

@Suite("Broker conformance")
struct MockConformanceTests {
    @Test("The Kafka transport conforms, with librdkafka's mock cluster", .night)
    func mock() async {
        await BrokerConformance.run(on: BackEnds.mock) { Issue.record("\($0): \($1)") }
    }
}
