import Glibc

/// A function that runs on a thread of its own, while whoever started it goes on. Where the system has no thread left, it
/// runs when it is waited for.
public final class BackgroundThread {
    private final class Task {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private let task: Task
    private var thread: pthread_t?
    private var isDone = false

    public init(_ body: @escaping () -> Void) {
        task = Task(body)
        let argument = Unmanaged.passRetained(task)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Task>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, argument.toOpaque())
        if status == 0 { self.thread = thread } else { argument.release() }
    }

    deinit { wait() }

    /// Returns when the function has returned.
    public func wait() {
        if isDone { return }
        isDone = true
        if let thread { pthread_join(thread, nil) } else { task.body() }
    }
}
