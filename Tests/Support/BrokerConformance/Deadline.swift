import Synchronization

/// Runs the body for at most `time`. If it hangs, it is abandoned and the error names it, so that a test fails instead
/// of waiting for ever.
public func withDeadline<Value: Sendable>(
    _ time: Duration, _ what: String, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let race = Race<Value>()
    let work = Task {
        do { race.end(.success(try await body())) } catch { race.end(.failure(error)) }
    }
    let alarm = Task {
        try await Task.sleep(for: time)
        race.end(.failure(ConformanceFailure(description: "\(what) did not end within \(time)")))
    }
    defer {
        work.cancel()
        alarm.cancel()
    }
    return try await withCheckedThrowingContinuation { race.begin($0) }
}

/// The first of two results.
private final class Race<Value: Sendable>: Sendable {
    private struct State {
        var waiter: CheckedContinuation<Value, any Error>?
        var result: Result<Value, any Error>?
    }

    private let state = Mutex(State())

    func begin(_ waiter: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.waiter = waiter }
            return state.result
        }
        if let result { waiter.resume(with: result) }
    }

    func end(_ result: Result<Value, any Error>) {
        let waiter = state.withLock { state in
            guard state.result == nil else { return nil as CheckedContinuation<Value, any Error>? }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: result)
    }
}

/// Returns once a condition holds. Checks it every 10 ms.
///
/// - Throws: `ConformanceFailure` if it does not hold within a minute.
public func waitUntil(_ what: String, _ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            throw ConformanceFailure(description: "\(what) did not happen within a minute")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}
