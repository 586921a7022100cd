import Concurrency
import Glibc
import Synchronization
import Testing

/// Threads that are kept between pieces of work.
struct ThreadTeamTests {
    @Test("A team does all work of every call, concurrently", arguments: [0, 1, 2, 5, 40])
    func work(count: Int) {
        let team = ThreadTeam(maxIdle: 4)
        for _ in 0..<50 {
            let called = Mutex([Int]())
            let arrived = Atomic(0)
            Parallel.forEach(count, by: team) { index in
                called.withLock { $0.append(index) }
                // Each waits until all have arrived.
                arrived.add(1, ordering: .sequentiallyConsistent)
                while arrived.load(ordering: .sequentiallyConsistent) < count { sched_yield() }
            }
            #expect(called.withLock { $0.sorted() } == Array(0..<count))
        }
    }

    /// The calling thread's folder in /proc, which exists as long as the thread.
    private var ownFolder: String {
        let path = [CChar](unsafeUninitializedCapacity: 64) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = max(0, readlink("/proc/thread-self", start, buffer.count))
        }
        return "/proc/" + String(decoding: path.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The folders of the threads that do this many pieces of work at once.
    private func threads(of team: ThreadTeam, _ count: Int) -> Set<String> {
        let found = Mutex(Set<String>())
        let arrived = Atomic(0)
        Parallel.forEach(count, by: team) { _ in
            found.withLock { _ = $0.insert(ownFolder) }
            arrived.add(1, ordering: .sequentiallyConsistent)
            while arrived.load(ordering: .sequentiallyConsistent) < count { sched_yield() }
        }
        return found.withLock { $0 }
    }

    @Test("A team keeps a limited number of threads, and starts new ones for further work")
    func keeping() {
        let team = ThreadTeam(maxIdle: 3)
        #expect(threads(of: team, 10).count == 10)
        let kept = threads(of: team, 4)
        for _ in 0..<20 { #expect(threads(of: team, 4) == kept) }
    }

    @Test("Work of a team may use the team")
    func nesting() {
        let team = ThreadTeam(maxIdle: 2)
        let sum = Atomic(0)
        Parallel.forEach(4, by: team) { outer in
            Parallel.forEach(4, by: team) { sum.add(outer * 4 + $0, ordering: .relaxed) }
        }
        #expect(sum.load(ordering: .relaxed) == (0..<16).reduce(0, +))
    }

    @Test("A team's background threads and values behave like others, and release their resources")
    func background() {
        final class Resource: Sendable {}
        let team = ThreadTeam(maxIdle: 1)
        weak var used: Resource?
        do {
            let resource = Resource()
            used = resource
            let steps = Mutex(0)
            let thread = BackgroundThread(of: team) { withExtendedLifetime(resource) { steps.withLock { $0 += 1 } } }
            thread.wait()
            thread.wait()
            #expect(steps.withLock { $0 } == 1)
            #expect(BackgroundValue(of: team) { 7 }.value == 7)
        }
        #expect(used == nil)
    }

    @Test("The threads of a released team end")
    func ending() {
        let kept = threads(of: ThreadTeam(maxIdle: 3), 4).subtracting([ownFolder])
        #expect(kept.count == 3)
        while kept.contains(where: { access($0, F_OK) == 0 }) { usleep(1000) }
    }
}
