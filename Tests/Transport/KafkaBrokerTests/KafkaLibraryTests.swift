import Testing

@testable import KafkaBroker

/// Behaviour that depends on the version of librdkafka.
@Suite struct KafkaLibraryTests {
    @Test(
        "SCRAM works with every Kafka from librdkafka 2.6.1 on",
        arguments: [
            (0x0200_02ff, false), (0x0206_00ff, false), (0x0206_0100, false), (0x0206_01ff, true), (0x0208_00ff, true),
            (0x0300_00ff, true),
        ])
    func scram(version: Int, works: Bool) {
        #expect(KafkaLibrary.isWorkingSCRAM(version: Int32(version)) == works)
    }

    @Test(
        "Topics may be deleted and created again under clients of librdkafka before 2.4",
        arguments: [(0x0200_02ff, true), (0x0203_00ff, true), (0x0204_00ff, false), (0x0208_00ff, false)])
    func recreatedTopics(version: Int, survives: Bool) {
        #expect(KafkaLibrary.isSurvivingRecreatedTopics(version: Int32(version)) == survives)
    }

    @Test(
        "The wait of a full queue can be configured from librdkafka 2.2 on",
        arguments: [(0x0200_02ff, false), (0x0201_00ff, false), (0x0202_00ff, true), (0x0208_00ff, true)])
    func queueBackoff(version: Int, hasIt: Bool) {
        #expect(KafkaLibrary.hasQueueBackoff(version: Int32(version)) == hasIt)
    }

    @Test("The loaded version is reported, and decides")
    func loaded() throws {
        let numbers = KafkaLibrary.version.split(separator: ".").compactMap { Int($0) }
        try #require(numbers.count == 3)
        let isNewer = (numbers[0], numbers[1], numbers[2]) >= (2, 6, 1)
        #expect(KafkaLibrary.hasWorkingSCRAM == isNewer)
        #expect(KafkaLibrary.survivesRecreatedTopics == ((numbers[0], numbers[1]) < (2, 4)))
        #expect(KafkaLibrary.hasQueueBackoff == ((numbers[0], numbers[1]) >= (2, 2)))
    }
}
