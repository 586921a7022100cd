internal import Concurrency
internal import Synchronization

/// Waits for a task on a thread that may block: a connection's own, never one of Swift's cooperative pool.
public enum Blocking {
    /// The result of the work, after waiting for it.
    public static func result<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Result<Value, any Error> {
        let box = Box<Value>()
        let done = ThreadSignal()
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return box.result.withLock { $0 } ?? .failure(CancellationError())
    }

    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }
}
