import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

@Suite("A cluster's name")
struct ClusterNameTests {
    @Test("is what its topics and groups begin with at the brokers, and nowhere else")
    func names() throws {
        let staging = try #require(ClusterName("staging"))
        #expect(staging.external(Topics.bulkJobs) == "staging.jobs.bulk")
        #expect(staging.external("rawmill.jobs.bulk.workers") == "staging.jobs.bulk.workers")
        #expect(staging.own("staging.jobs.bulk") == Topics.bulkJobs)
        #expect(staging.external("elsewhere") == "elsewhere" && staging.own("elsewhere") == "elsewhere")
        #expect(ClusterName.usual.external(Topics.control) == Topics.control)
        #expect(ClusterName("rawmill") == .usual)
    }

    @Test("that Kafka's topics cannot begin with is refused", arguments: ["", "a.b", "a b", "ä", "a/b"])
    func refused(name: String) { #expect(ClusterName(name) == nil) }

    @Test("that is too long is refused")
    func tooLong() {
        #expect(ClusterName(String(repeating: "a", count: 100)) != nil)
        #expect(ClusterName(String(repeating: "a", count: 101)) == nil)
    }

    @Test("keeps two clusters apart on the same brokers: records, groups, offsets and identity")
    func apart() async throws {
        let cluster = try MockCluster(brokers: 1)
        let staging = try #require(ClusterName("staging"))
        for name in [ClusterName.usual, staging] {
            for topic in Topics.cluster(partitions: 1) + [KafkaTransport.incarnationTopic] {
                cluster.create(topic: name.external(topic.name), partitions: topic.partitions)
            }
        }
        let first = try KafkaTransport(MockTransport.settings(cluster))
        var settings = try MockTransport.settings(cluster)
        settings.clusterName = staging
        let second = try KafkaTransport(settings)

        let sent = try await second.withProducer {
            try await $0.send([Record(key: [1], value: [2])], to: Topics.bulkJobs)
        }
        #expect(sent.first?.partition.topic == Topics.bulkJobs)
        #expect(try await first.watermarks(topic: Topics.bulkJobs)[0]?.upperBound == 0)
        #expect(try await second.watermarks(topic: Topics.bulkJobs)[0]?.upperBound == 1)
        #expect(try await first.clusterID() != second.clusterID())

        let group = "\(Topics.bulkJobs).workers"
        let consumer = try await second.consumer(group: group, topics: [Topics.bulkJobs], inFlight: 1)
        var delivered: [Delivery] = []
        try await waitUntil("the record is delivered") {
            delivered += try await consumer.poll(limit: 1, wait: .milliseconds(100))
            return !delivered.isEmpty
        }
        let position = try #require(delivered.first?.position)
        #expect(position.partition.topic == Topics.bulkJobs)
        #expect(await consumer.assignment() == [position.partition])
        await consumer.finish(position)
        #expect(try await consumer.commit() == [position.partition: 1])
        #expect(try await second.committed(group: group, topic: Topics.bulkJobs) == [0: 1])
        #expect(try await first.committed(group: group, topic: Topics.bulkJobs).isEmpty)
        await first.close()
        await second.close()
    }

    @Test("is in the error about a topic that the brokers lack")
    func missingTopic() async throws {
        let cluster = try MockCluster(brokers: 1)
        var settings = try MockTransport.settings(cluster)
        settings.clusterName = try #require(ClusterName("staging"))
        let transport = try KafkaTransport(settings)
        await #expect(throws: BrokerError.unknownTopic("staging.control")) {
            try await transport.watermarks(topic: Topics.control)
        }
        await transport.close()
    }
}
