internal import Synchronization

/// Wakes tasks that wait for news of any kind.
public final class WakeSignal: Sendable {
    private struct State {
        var rings: UInt64 = 0
        var waiting: [UInt64: @Sendable () -> Void] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// Times it rang. Taken before looking for news, so that a ring in between is not missed.
    public var rings: UInt64 { state.withLock { $0.rings } }

    public func ring() {
        let woken = state.withLock { state in
            state.rings += 1
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for wake in woken { wake() }
    }

    /// Returns when it rang more often than `rings`, or after `limit`; nil for as long as it takes.
    public func wait(beyond rings: UInt64, limit: Duration?) async {
        let waiter = newWaiter()
        let alarm = limit.map { limit in
            Task {
                try? await Task.sleep(for: limit)
                self.leave(waiter)?()
            }
        }
        defer { alarm?.cancel() }
        await withCheckedContinuation { continuation in
            arrive(waiter, beyond: rings) { continuation.resume() }
        }
    }

    /// Runs what waits for something else, a broker say, and cancels it when the bell rings more often than `rings`.
    public func interrupting<Value: Sendable>(
        beyond rings: UInt64, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let work = Task { try await body() }
        let waiter = newWaiter()
        arrive(waiter, beyond: rings) { work.cancel() }
        defer { _ = leave(waiter) }
        return try await withTaskCancellationHandler {
            try await work.value
        } onCancel: {
            work.cancel()
        }
    }

    private func newWaiter() -> UInt64 {
        state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
    }

    /// Has `wake` called once: at the next ring, or at once where that was missed.
    private func arrive(_ waiter: UInt64, beyond rings: UInt64, _ wake: @escaping @Sendable () -> Void) {
        let isNews = state.withLock { state in
            if state.rings != rings { return true }
            state.waiting[waiter] = wake
            return false
        }
        if isNews { wake() }
    }

    /// What was to be called; nil where it was called already.
    private func leave(_ waiter: UInt64) -> (@Sendable () -> Void)? {
        state.withLock { $0.waiting.removeValue(forKey: waiter) }
    }
}
