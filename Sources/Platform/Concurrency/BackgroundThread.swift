/// A function that runs on a thread of its own while its owner goes on.
///
/// If the system has no thread left, the function runs inside `wait` instead.
public final class BackgroundThread {
    private let body: @Sendable () -> Void
    private var thread: SystemThread?
    private let work: ThreadTeam.Work?
    private var isDone = false

    /// Starts `body` on another thread.
    ///
    /// - Parameter team: has the thread; nil for a new one.
    /// - Parameter body: must not write to what its owner uses before `wait` has returned.
    public init(of team: ThreadTeam? = nil, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        work = team?.begin(body)
        thread = team == nil ? SystemThread(body) : nil
    }

    deinit { wait() }

    /// Returns when the function has returned. Later calls return at once.
    public func wait() {
        if isDone { return }
        isDone = true
        if let work {
            work.wait()
        } else if let thread = thread.take() {
            thread.join()
        } else {
            body()
        }
    }
}
