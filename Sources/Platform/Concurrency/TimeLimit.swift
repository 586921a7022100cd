/// Does work that is cancelled when its time is over, or when the calling task is cancelled. Work that ignores being
/// cancelled is waited for all the same.
///
/// - Throws: what the work throws: `CancellationError`, usually, when it took too long.
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
