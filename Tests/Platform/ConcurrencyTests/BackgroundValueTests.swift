import Synchronization
import Testing

@testable import Concurrency

@Suite struct BackgroundValueTests {
    private final class Counter: Sendable {
        let number = Mutex(0)
        func next() -> Int {
            number.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test("The value is made once for any number of concurrent requests")
    func once() {
        let counter = Counter()
        let value = BackgroundValue { counter.next() }
        Parallel.forEach(8) { _ in #expect(value.value == 1) }
        #expect(counter.next() == 2)
    }

    @Test("A value that is never requested is also made, before its last reference is released")
    func unasked() {
        let counter = Counter()
        do { _ = BackgroundValue { counter.next() } }
        #expect(counter.next() == 2)
    }
}
