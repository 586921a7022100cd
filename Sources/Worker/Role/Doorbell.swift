internal import Synchronization

/// Wakes tasks that wait for news.
final class Doorbell: Sendable {
    private struct State {
        var rings: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// Times it rang. Taken before looking for news, so that a ring in between is not missed.
    var rings: UInt64 { state.withLock { $0.rings } }

    func ring() {
        let woken = state.withLock { state in
            state.rings += 1
            defer { state.waiting.removeAll() }
            return Array(state.waiting.values)
        }
        for waiter in woken { waiter.resume() }
    }

    /// Returns when it rang more often than `rings`, or after `limit`.
    func wait(beyond rings: UInt64, limit: Duration) async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let alarm = Task {
            try? await Task.sleep(for: limit)
            self.wake(waiter)
        }
        defer { alarm.cancel() }
        await withCheckedContinuation { continuation in
            let isNews = state.withLock { state in
                if state.rings != rings { return true }
                state.waiting[waiter] = continuation
                return false
            }
            if isNews { continuation.resume() }
        }
    }

    /// A cancelled alarm may come after the waiter is gone.
    private func wake(_ waiter: UInt64) {
        state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
    }
}
