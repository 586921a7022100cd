import Concurrency
import Synchronization
import Testing

struct BackgroundThreadTests {
    @Test("Parallel calls its body once for each index", arguments: [0, 1, 2, 5])
    func indices(count: Int) {
        let called = Mutex([Int]())
        Parallel.forEach(count) { index in called.withLock { $0.append(index) } }
        #expect(called.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test("A background thread runs by itself, and has ended after a wait or once it is released")
    func ending() {
        let steps = Mutex([String]())
        func start(_ name: String) -> BackgroundThread { BackgroundThread { steps.withLock { $0.append(name) } } }
        let first = start("first")
        // The loop ends only if the thread runs without being waited for.
        while steps.withLock({ $0.isEmpty }) {}
        let second = start("second")
        second.wait()
        second.wait()
        first.wait()
        #expect(steps.withLock { $0 } == ["first", "second"])
        _ = start("third")
        #expect(steps.withLock { $0 } == ["first", "second", "third"])
    }

    @Test("A system thread is joined, or ends by itself once its value is gone")
    func systemThread() throws {
        let steps = Mutex(0)
        if let joined = SystemThread(name: "joined", { steps.withLock { $0 += 1 } }) { joined.join() }
        #expect(steps.withLock { $0 } == 1)
        do { _ = SystemThread { steps.withLock { $0 += 1 } } }
        while steps.withLock({ $0 }) < 2 {}
    }
}
