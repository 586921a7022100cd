internal import Glibc
internal import Synchronization

/// Handles SIGINT (Ctrl-C), SIGTERM and SIGHUP: the first signal requests an orderly end, the second ends the process
/// at once.
///
/// The signals are blocked in every thread, and the main thread only waits for them, so that no handler interrupts
/// other code. An immediate end is safe: acknowledged work is durable, and render processes end with this one.
package final class Interrupts: Sendable {
    package static let shared = Interrupts()

    private struct State {
        var count = 0
        var orderly: (@Sendable () -> Void)?
        var last: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Blocks the signals. Call it before the process has other threads, which inherit the mask.
    func block() {
        var set = Self.signalSet
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Sets the handlers. Before this call the first signal ends the process.
    ///
    /// - Parameters:
    ///   - orderly: called at the first signal, on a separate thread.
    ///   - last: called before the process ends at the second.
    package func handle(orderly: @escaping @Sendable () -> Void, last: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.orderly = orderly
            state.last = last
        }
    }

    /// Releases the handlers. From here on the first signal ends the process again.
    package func reset() {
        state.withLock { state in
            state.orderly = nil
            state.last = nil
        }
    }

    /// Runs work that the first signal cancels, so that it can clean up.
    ///
    /// - Returns: the work's status; `ExitStatus.interrupted` if it was cancelled.
    package func cancelling(_ work: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
        let task = Task { try await work() }
        handle(orderly: { task.cancel() }, last: {})
        defer { reset() }
        do {
            return try await task.value
        } catch {
            guard wasInterrupted else { throw error }
            return ExitStatus.interrupted
        }
    }

    package var wasInterrupted: Bool { state.withLock { $0.count > 0 } }

    /// Waits for signals until the process ends.
    func wait() -> Never {
        var set = Self.signalSet
        while true {
            var signal: Int32 = 0
            if unsafe sigwait(&set, &signal) == 0 { received() }
        }
    }

    /// Undoes `block` and the ignoring of SIGPIPE, for a program that replaces this one.
    package static func restoreDefaults() {
        signal(SIGPIPE, SIG_DFL)
        var set = signalSet
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private func received() {
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
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal) }
        return set
    }
}
