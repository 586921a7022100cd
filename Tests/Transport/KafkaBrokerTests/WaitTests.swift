import Broker
import BrokerConformance
import SeededRandom
import Testing

@testable import KafkaBroker

/// Without a cluster.
@Suite("Waiting for records")
struct WaitTests {
    /// An alarm that rang before anybody waited once woke nobody, and the poll lasted for ever.
    @Test("a poll of any length ends, however short it is")
    func shortWaits() async throws {
        let core = ConsumerCore(ConsumerState(reading: [:]))
        try await withDeadline(.seconds(30), "polls that find nothing") {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seed in 0..<8 {
                    group.addTask {
                        var random = SeededGenerator(seed: UInt64(seed))
                        for _ in 0..<1000 {
                            let wait = Duration.microseconds(Int.random(in: 0...300, using: &random))
                            let found = try await core.poll(limit: 1, wait: wait)
                            #expect(found.isEmpty)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
    }
}
