import BrokerConformance
import SeededRandom
import Testing

@testable import Broker

@Suite("A consumer group")
struct ConsumerGroupTests {
    private func partitions(_ topic: String, _ numbers: Int32...) -> Set<TopicPartition> {
        Set(numbers.map { TopicPartition(topic: topic, partition: $0) })
    }

    @Test("The first member gets all partitions, and only those that a later member gets are moved")
    func joining() {
        var group = ConsumerGroup()
        let topics: [String: Int32] = ["a": 3, "b": 1]
        #expect(
            group.join(1, topics: ["a", "b"], partitions: topics) == [
                .assign(1, partitions("a", 0, 1, 2).union(partitions("b", 0)))
            ])
        #expect(
            group.join(2, topics: ["a"], partitions: topics) == [
                .revoke(1, partitions("a", 2)), .assign(2, partitions("a", 2)),
            ])
        #expect(
            group.leave(1, partitions: topics) == [
                .revoke(1, partitions("a", 0, 1).union(partitions("b", 0))), .assign(2, partitions("a", 0, 1)),
            ])
        #expect(group.leave(2, partitions: topics) == [.revoke(2, partitions("a", 0, 1, 2))])
        #expect(group.isEmpty)
    }

    @Test("Each partition goes to one subscriber, evenly, and the changes lead to the new assignment")
    func properties() {
        var random = SeededGenerator()
        var group = ConsumerGroup()
        var members: Set<Int> = []
        var held: [Int: Set<TopicPartition>] = [:]
        let topics: [String: Int32] = ["a": 7, "b": 1, "c": 16]
        for step in 0..<300 {
            let changes: [ConsumerGroup.Change]
            if let member = members.randomElement(using: &random), Bool.random(using: &random) {
                members.remove(member)
                changes = group.leave(member, partitions: topics)
            } else {
                members.insert(step)
                changes = group.join(step, topics: ["a", "b", "c"], partitions: topics)
            }
            for change in changes {
                switch change {
                case .revoke(let member, let lost):
                    #expect(held[member]?.isSuperset(of: lost) == true, "seed \(random.seed)")
                    held[member]?.subtract(lost)
                case .assign(let member, let gained):
                    #expect(held.values.allSatisfy { $0.isDisjoint(with: gained) }, "seed \(random.seed)")
                    held[member, default: []].formUnion(gained)
                }
            }
            #expect(held.values.reduce(0) { $0 + $1.count } == (members.isEmpty ? 0 : 24), "seed \(random.seed)")
            for topic in topics.keys {
                let counts = members.map { held[$0, default: []].count { $0.topic == topic } }
                #expect((counts.max() ?? 0) - (counts.min() ?? 0) <= 1, "seed \(random.seed)")
            }
        }
    }
}

@Suite("A key's partition")
struct PartitionerTests {
    /// The values are from Apache Kafka's UtilsTest.testMurmur2.
    @Test(
        "A key gets the partition that Kafka chooses",
        arguments: [
            ("21", -973_932_308), ("foobar", -790_332_482), ("a-little-bit-long-string", -985_981_536),
            ("a-little-bit-longer-string", -1_486_304_829),
            ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971), ("abc", 479_470_107),
        ] as [(String, Int32)])
    func kafka(key: String, hash: Int32) {
        #expect(Int32(bitPattern: Partitioner.murmur2(Array(key.utf8))) == hash)
    }

    @Test("Any key gets one of the topic's partitions")
    func range() {
        var random = SeededGenerator()
        for _ in 0..<1000 {
            let key = (0..<Int.random(in: 0...20, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
            let count = Int32.random(in: -1...20, using: &random)
            #expect((0..<max(1, count)).contains(Partitioner.partition(of: key, among: count)))
        }
    }
}

@Suite("Stored headers")
struct HeaderBytesTests {
    @Test("Headers survive encoding and decoding, and damaged bytes do no harm")
    func roundTrip() throws {
        var random = SeededGenerator()
        for _ in 0..<500 {
            let headers = (0..<Int.random(in: 1...4, using: &random)).map { index in
                Header(name: "h€\(index)", value: (0..<index * 3).map { UInt8($0) })
            }
            let bytes = try #require(HeaderBytes.encode(headers))
            #expect(HeaderBytes.decode(bytes) == headers)
            var damaged = bytes
            damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            _ = HeaderBytes.decode(damaged)
            for end in 0..<bytes.count { _ = HeaderBytes.decode(Array(bytes[..<end])) }
        }
        #expect(HeaderBytes.encode([]) == nil)
        #expect(HeaderBytes.decode([]) == [])
    }
}
