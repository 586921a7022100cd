import Broker
import BrokerConformance
import SeededRandom
import Testing

@testable import KafkaBroker

/// Tests the waiting alone, without a cluster.
@Suite("Waiting for records")
struct WaitTests {
    /// Once, a timer that fired before its waiter was registered woke no one, and the poll lasted for ever.
    @Test("A poll ends, however short its wait is")
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
