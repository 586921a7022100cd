/// Cancels the work after `limit`, or when the calling task is cancelled. Still waits for work that ignores
/// cancellation. After a timeout the work usually throws `CancellationError`.
public func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let work = Task { try await body() }
    let timer = Task {
        try await Task.sleep(for: limit)
        work.cancel()
    }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
        try await work.value
    } onCancel: {
        work.cancel()
    }
}
