internal import Synchronization

/// Keeps threads for reuse, for short and frequent work: waking a thread is faster than starting one. Work never
/// queues: if all kept threads are busy, a new one starts.
///
/// Not for a process that enters a sandbox: threads started earlier stay outside it.
public final class ThreadTeam: Sendable {
    /// The team of this process.
    public static let shared = ThreadTeam(maxIdle: 12)

    final class Work: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>
        private let done = ThreadSignal()

        fileprivate init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        /// Releases the closure at the end: its owner may be waiting to free what it captures.
        fileprivate func run() { body.withLock { $0.take() }?() }

        fileprivate func ended() { done.signal() }

        func wait() { done.wait() }
    }

    private final class Member: Sendable {
        private let next: Mutex<Work?>
        private let arrival = ThreadSignal()

        init(_ first: Work) { next = Mutex(first) }

        /// - Parameter work: nil ends the thread.
        func give(_ work: Work?) {
            next.withLock { $0 = work }
            arrival.signal()
        }

        func run(for idlers: Idlers) {
            while let work = next.withLock({ $0.take() }) {
                work.run()
                // Idle before the end is signalled, so that an owner with more work finds this thread free.
                let stays = idlers.add(self)
                work.ended()
                if !stays { return }
                arrival.wait()
            }
        }
    }

    private final class Idlers: Sendable {
        private struct State {
            var members: [Member] = []
            var isClosed = false
        }

        private let state = Mutex(State())
        private let max: Int

        init(max: Int) { self.max = max }

        func take() -> Member? { state.withLock { $0.members.popLast() } }

        /// - Returns: false if enough threads are idle; the thread then ends.
        func add(_ member: Member) -> Bool {
            state.withLock { state in
                if state.isClosed || state.members.count >= max { return false }
                state.members.append(member)
                return true
            }
        }

        /// Ends idle threads now, and others after their work.
        func close() {
            let members = state.withLock { state in
                state.isClosed = true
                defer { state.members = [] }
                return state.members
            }
            for member in members { member.give(nil) }
        }
    }

    private let idlers: Idlers

    /// - Parameter maxIdle: how many idle threads are kept.
    public init(maxIdle: Int) { idlers = Idlers(max: maxIdle) }

    deinit { idlers.close() }

    /// Starts a piece of work. Returns nil if the system has no thread left; nothing was started.
    func begin(_ body: @escaping @Sendable () -> Void) -> Work? {
        let work = Work(body)
        if let member = idlers.take() {
            member.give(work)
            return work
        }
        let member = Member(work)
        let isStarted = SystemThread(name: "helper", { [idlers] in member.run(for: idlers) }) != nil
        return isStarted ? work : nil
    }
}
