import Glibc

/// Runs a function for each index of a small range at once, one thread each, and returns when all are done.
public enum Threads {
    /// The last index runs on the calling thread.
    public static func forEach(_ count: Int, _ body: @escaping (Int) -> Void) {
        let started = (0..<max(count - 1, 0)).map { index in Beside { body(index) } }
        if count > 0 { body(count - 1) }
        for other in started { other.wait() }
    }
}

/// A function that runs on a thread of its own, while whoever started it goes on. Where the system has no thread left, it
/// runs when it is waited for.
public final class Beside {
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
