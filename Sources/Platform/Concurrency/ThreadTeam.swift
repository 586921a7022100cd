internal import Synchronization

/// Threads that are kept between two pieces of work, for work that is short and comes often: to start a thread takes
/// longer than to wake one. Each piece has a thread of its own at once: a new one if all that are kept are at work.
///
/// Not for a process that enters a sandbox: the sandbox does not hold threads that were started before it.
public final class ThreadTeam: Sendable {
    /// The team of this process.
    public static let shared = ThreadTeam(maxIdle: 12)

    /// A piece of work.
    final class Work: Sendable {
        private let body: Mutex<(@Sendable () -> Void)?>
        private let done = ThreadSignal()

        fileprivate init(_ body: @escaping @Sendable () -> Void) { self.body = Mutex(body) }

        /// Lets go of what the work uses when it is done: its owner may be waiting to free that.
        fileprivate func run() { body.withLock { $0.take() }?() }

        fileprivate func ended() { done.signal() }

        /// Returns when it is done. Called once.
        func wait() { done.wait() }
    }

    /// A thread.
    private final class Member: Sendable {
        private let next: Mutex<Work?>
        private let arrival = ThreadSignal()

        init(_ first: Work) { next = Mutex(first) }

        /// - Parameter work: nil ends the thread.
        func give(_ work: Work?) {
            next.withLock { $0 = work }
            arrival.signal()
        }

        /// Works until there is no more to do.
        func run(for idlers: Idlers) {
            while let work = next.withLock({ $0.take() }) {
                work.run()
                // Before the end is told: the owner of the work may have more at once, and finds this thread free.
                let stays = idlers.add(self)
                work.ended()
                if !stays { return }
                arrival.wait()
            }
        }
    }

    /// The threads that wait.
    private final class Idlers: Sendable {
        private struct State {
            var members: [Member] = []
            var isClosed = false
        }

        private let state = Mutex(State())
        private let max: Int

        init(max: Int) { self.max = max }

        func take() -> Member? { state.withLock { $0.members.popLast() } }

        /// - Returns: false if it is not needed.
        func add(_ member: Member) -> Bool {
            state.withLock { state in
                if state.isClosed || state.members.count >= max { return false }
                state.members.append(member)
                return true
            }
        }

        /// Ends them, and the others after their work.
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

    /// - Parameter maxIdle: so many threads wait for work at most.
    public init(maxIdle: Int) { idlers = Idlers(max: maxIdle) }

    deinit { idlers.close() }

    /// Begins a piece of work.
    ///
    /// - Returns: nil if the system has no thread left: nothing has begun.
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
