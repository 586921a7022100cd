import Testing

@testable import Worker

/// How many jobs of a slot may be rendered and not durable yet.
@Suite struct CompletionLimitTests {
    private static let megabyte: UInt64 = 1 << 20

    @Test("A worker with few slots makes many small photos durable together, one with many slots three of each")
    func small() {
        let small = Array(repeating: Self.megabyte / 2, count: 100)
        for (slots, count) in [(1, 32), (2, 16), (4, 8), (16, 3), (64, 3)] {
            let limit = CompletionLimit(slots: slots)
            #expect(limit.maxCount == count)
            #expect(limit.allows(small.prefix(count)) && !limit.allows(small.prefix(count + 1)))
            #expect(WorkerSettings.maxJobsInHand(slots: slots) == slots * (1 + count))
        }
    }

    @Test("Of large photos no more than three wait for the disk")
    func large() {
        let limit = CompletionLimit(slots: 2)
        #expect(limit.allows([9, 9, 9].map { $0 * Self.megabyte }))
        #expect(!limit.allows([9, 9, 9, 9].map { $0 * Self.megabyte }))
        #expect(!limit.allows([1, 1, 1, 14].map { $0 * Self.megabyte }))
        #expect(limit.allows([1, 1, 1, 13].map { $0 * Self.megabyte }))
        #expect(limit.allows([UInt64.max, .max, .max]) && !limit.allows([UInt64.max, .max, .max, .max]))
    }
}
