import Broker
import BrokerConformance
import Testing

@Suite("The broker suite", .enabled("no RAWMILL_TEST_KAFKA=host:port is set") { BackEnds.realServers != nil })
struct RealConformanceTests {
    @Test("holds for a real Kafka", arguments: BrokerConformance.cases)
    func real(item: ConformanceCase) async throws {
        let backEnd = BackEnds.real(try #require(BackEnds.realServers))
        if item.applies(to: backEnd) { try await item.run(on: backEnd) }
    }
}
