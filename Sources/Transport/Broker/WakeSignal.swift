internal import Synchronization

/// Wakes tasks that wait for a change.
///
/// Read `signalCount` before you look for changes, and pass it to `wait` or `interrupting`. A signal in between ends
/// the wait at once, so none is missed.
public final class WakeSignal: Sendable {
    private struct State {
        var signalCount: UInt64 = 0
        var waiters: [UInt64: @Sendable () -> Void] = [:]
        var newestWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Creates a signal without waiting tasks.
    public init() {}

    /// How often `signal` was called.
    public var signalCount: UInt64 { state.withLock { $0.signalCount } }

    /// Wakes all waiting tasks.
    public func signal() {
        let woken = state.withLock { state in
            state.signalCount += 1
            defer { state.waiters.removeAll() }
            return Array(state.waiters.values)
        }
        for wake in woken { wake() }
    }

    /// Returns once the signal count exceeds `signalCount`, or after the limit; nil waits for a signal only.
    public func wait(after signalCount: UInt64, limit: Duration?) async {
        await wait(newWaiter(), after: signalCount, limit, isCancellable: false)
    }

    /// As ``wait(after:limit:)``, and returns at once when the task is cancelled.
    public func waitUnlessCancelled(after signalCount: UInt64, limit: Duration? = nil) async {
        let waiter = newWaiter()
        await withTaskCancellationHandler {
            await wait(waiter, after: signalCount, limit, isCancellable: true)
        } onCancel: {
            remove(waiter)?()
        }
    }

    private func wait(
        _ waiter: UInt64, after signalCount: UInt64, _ limit: Duration?, isCancellable: Bool
    ) async {
        let timer = limit.map { limit in
            Task {
                try? await Task.sleep(for: limit)
                self.remove(waiter)?()
            }
        }
        defer { timer?.cancel() }
        await withCheckedContinuation { continuation in
            add(waiter, after: signalCount) { continuation.resume() }
            // The handler of a task that was cancelled before found no waiter.
            if isCancellable, Task.isCancelled { remove(waiter)?() }
        }
    }

    /// Runs `body` and returns its result. Cancels `body` once the signal count exceeds `signalCount`.
    public func interrupting<Value: Sendable>(
        after signalCount: UInt64, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let work = Task { try await body() }
        let waiter = newWaiter()
        add(waiter, after: signalCount) { work.cancel() }
        defer { _ = remove(waiter) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func newWaiter() -> UInt64 {
        state.withLock { state in
            state.newestWaiter += 1
            return state.newestWaiter
        }
    }

    /// Calls `wake` once: at the next signal, or at once if there was one after `signalCount`.
    private func add(_ waiter: UInt64, after signalCount: UInt64, _ wake: @escaping @Sendable () -> Void) {
        let isSignalled = state.withLock { state in
            if state.signalCount != signalCount { return true }
            state.waiters[waiter] = wake
            return false
        }
        if isSignalled { wake() }
    }

    /// Removes and returns the closure that wakes the waiter; nil if it was called already.
    private func remove(_ waiter: UInt64) -> (@Sendable () -> Void)? {
        state.withLock { $0.waiters.removeValue(forKey: waiter) }
    }
}
