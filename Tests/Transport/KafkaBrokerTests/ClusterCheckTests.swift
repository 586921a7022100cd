import Broker
import KafkaBroker
import Testing

@Suite struct ClusterCheckTests {
    @Test(
        "A retention of offsets below a week is a problem, and a long one is not", arguments: ["1440", "\(Int64.max)"])
    func retention(minutes: String) {
        var facts = ClusterDescription(brokers: 3)
        facts.brokerSettings["offsets.retention.minutes"] = minutes
        #expect(ClusterCheck(facts, topics: []).hasProblems == (minutes == "1440"))
    }
}
