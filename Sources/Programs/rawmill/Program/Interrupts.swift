import Glibc
import Synchronization

/// Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP): the first asks for an orderly end, the second ends at once.
///
/// The signals are blocked in every thread and taken by the main thread, which only waits for them, so that no handler
/// interrupts other code. Ending at once is safe: what was acknowledged is durable, and render processes end with this
/// one.
final class Interrupts: Sendable {
    static let shared = Interrupts()

    private struct State {
        var count = 0
        var orderly: (@Sendable () -> Void)?
        var last: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Has to be called before the process has other threads: they inherit what is blocked.
    func block() {
        var set = Self.signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Without a word from here, the first signal ends the process.
    ///
    /// - Parameters:
    ///   - orderly: called at the first signal, on a thread of its own.
    ///   - last: called before the process ends at the second.
    func handle(orderly: @escaping @Sendable () -> Void, last: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.orderly = orderly
            state.last = last
        }
    }

    /// From here on the first signal ends the process again; what `handle` was given is let go.
    func forget() {
        state.withLock { state in
            state.orderly = nil
            state.last = nil
        }
    }

    /// Does work that the first signal cancels, so that it can end on its way out what it started.
    ///
    /// - Returns: the work's status; of work that was cut off, that of an interrupted program.
    func cancelling(_ work: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
        let task = Task { try await work() }
        handle(orderly: { task.cancel() }, last: {})
        defer { forget() }
        do {
            return try await task.value
        } catch {
            guard wasInterrupted else { throw error }
            return ExitStatus.interrupted
        }
    }

    var wasInterrupted: Bool { state.withLock { $0.count > 0 } }

    /// Waits for signals as long as the process lasts.
    func wait() -> Never {
        var set = Self.signalSet
        while true {
            var signal: Int32 = 0
            if sigwait(&set, &signal) == 0 { arrived() }
        }
    }

    private func arrived() {
        let (orderly, last) = state.withLock { state in
            state.count += 1
            return (state.count == 1 ? state.orderly : nil, state.last)
        }
        if let orderly { return orderly() }
        last?()
        _exit(ExitStatus.interrupted)
    }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}
