/// Runs a function on a separate thread. If the system has no thread left, it runs inside `wait`.
public final class BackgroundThread {
    private let body: @Sendable () -> Void
    private var thread: SystemThread?
    private let work: ThreadTeam.Work?
    private var isDone = false

    /// Starts `body` on a thread of the team, or on a new one. `body` must not write to memory that the owner uses
    /// before `wait` has returned.
    public init(of team: ThreadTeam? = nil, _ body: @escaping @Sendable () -> Void) {
        self.body = body
        work = team?.begin(body)
        thread = team == nil ? SystemThread(body) : nil
    }

    deinit { wait() }

    /// Waits for the function. Later calls return at once.
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
