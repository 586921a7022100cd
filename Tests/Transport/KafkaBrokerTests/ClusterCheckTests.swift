import Broker
import KafkaBroker
import Testing

@Suite struct ClusterCheckTests {
    @Test(
        "Offsets that go within a week are a problem, however long ones are none", arguments: ["1440", "\(Int64.max)"])
    func retention(minutes: String) {
        var facts = ClusterDescription(brokers: 3)
        facts.brokerSettings["offsets.retention.minutes"] = minutes
        #expect(ClusterCheck(facts, topics: []).hasProblems == (minutes == "1440"))
    }
}
