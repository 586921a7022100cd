import Concurrency
import Glibc
import Synchronization
import Testing

struct BackgroundThreadTests {
    @Test("Parallel calls its body once for each index", arguments: [0, 1, 2, 5])
    func indices(count: Int) {
        let called = Mutex([Int]())
        Parallel.forEach(count) { index in called.withLock { $0.append(index) } }
        #expect(called.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test("Results of threads that share indices are in the order of the indices", arguments: [0, 1, 3, 4, 5, 64, 257])
    func results(count: Int) {
        for threads in 1...5 {
            let names = Mutex(Set<UInt>())
            let results = Parallel.map(count, threads: threads) { index in
                names.withLock { _ = $0.insert(pthread_self()) }
                return index * index
            }
            #expect(results == (0..<count).map { $0 * $0 })
            #expect(names.withLock { $0.count } <= threads)
        }
    }

    @Test("A background thread runs without being awaited, and has ended after a wait or once it is released")
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

    @Test("A system thread is joined, or ends on its own once its value is released")
    func systemThread() throws {
        let steps = Mutex(0)
        if let joined = SystemThread(name: "joined", { steps.withLock { $0 += 1 } }) { joined.join() }
        #expect(steps.withLock { $0 } == 1)
        do { _ = SystemThread { steps.withLock { $0 += 1 } } }
        while steps.withLock({ $0 }) < 2 {}
    }
}
