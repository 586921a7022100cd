import Glibc
import Testing
import Concurrency

private actor Counter {
    private let executor: ThreadExecutor
    private var threads: Set<pthread_t> = []
    private(set) var count = 0

    init(executor: ThreadExecutor) { self.executor = executor }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func add() {
        threads.insert(pthread_self())
        count += 1
    }

    func threadCount() -> Int { threads.count }
}

@Suite("An actor's own thread")
struct ThreadExecutorTests {
    @Test("runs every job, one after another, on one thread")
    func serial() async {
        let counter = Counter(executor: ThreadExecutor(name: "test"))
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<500 { group.addTask { await counter.add() } }
        }
        #expect(await counter.count == 500)
        #expect(await counter.threadCount() == 1)
    }

    @Test("ends with its actor, wherever the last reference is dropped")
    func ends() async {
        weak var executor: ThreadExecutor?
        for _ in 0..<200 {
            let mine = ThreadExecutor(name: "short")
            executor = mine
            await Counter(executor: mine).add()
        }
        for _ in 0..<30_000 where executor != nil { try? await Task.sleep(for: .milliseconds(2)) }
        #expect(executor == nil)
    }
}
