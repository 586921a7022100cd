/// A function that runs on its own thread while its owner goes on.
///
/// If the system has no thread left, the function runs inside `wait` instead.
public final class BackgroundThread {
    private let body: @Sendable () -> Void
    private var thread: SystemThread?
    private var isDone = false

    /// Starts `body` on a new thread.
    ///
    /// - Parameter body: must not write to what its owner uses before `wait` has returned.
    public init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
        thread = SystemThread(body)
    }

    deinit { wait() }

    /// Returns when the function has returned. Later calls return at once.
    public func wait() {
        if isDone { return }
        isDone = true
        if let thread = thread.take() { thread.join() } else { body() }
    }
}
