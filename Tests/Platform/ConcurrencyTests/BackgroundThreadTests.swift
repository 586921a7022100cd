import Concurrency
import Synchronization
import Testing

@Suite("Threads")
struct BesideTests {
    @Test("Every index runs once, whatever the number", arguments: [0, 1, 2, 5])
    func each(count: Int) {
        let met = Mutex([Int]())
        Threads.forEach(count) { index in met.withLock { $0.append(index) } }
        #expect(met.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test("What runs beside goes on by itself, and is over when it was waited for, or nobody holds it any more")
    func beside() {
        let steps = Mutex([String]())
        func run(_ name: String) -> BackgroundThread { BackgroundThread { steps.withLock { $0.append(name) } } }
        let first = run("first")
        // By itself: without it this would not end.
        while steps.withLock({ $0.isEmpty }) {}
        let second = run("second")
        second.wait()
        second.wait()
        first.wait()
        #expect(steps.withLock { $0 } == ["first", "second"])
        _ = run("third")
        #expect(steps.withLock { $0 } == ["first", "second", "third"])
    }
}
