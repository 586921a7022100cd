import Glibc

/// Runs a function for each index of a small range at once, one thread each, and returns when all are done.
public enum Threads {
    private final class Task {
        let index: Int
        let body: (Int) -> Void

        init(index: Int, body: @escaping (Int) -> Void) {
            self.index = index
            self.body = body
        }
    }

    /// The last index runs on the calling thread, and so does any for which the system has no thread left.
    public static func forEach(_ count: Int, _ body: @escaping (Int) -> Void) {
        var started: [pthread_t] = []
        for index in 0..<max(count - 1, 0) {
            var thread = pthread_t()
            let task = Unmanaged.passRetained(Task(index: index, body: body))
            let status = pthread_create(
                &thread, nil,
                { argument in
                    if let argument {
                        let task = Unmanaged<Task>.fromOpaque(argument).takeRetainedValue()
                        task.body(task.index)
                    }
                    return nil
                }, task.toOpaque())
            if status == 0 {
                started.append(thread)
            } else {
                task.release()
                body(index)
            }
        }
        if count > 0 { body(count - 1) }
        for thread in started { pthread_join(thread, nil) }
    }
}
