internal import Glibc

/// A thread of the operating system: the only place where one is started. The thread continues when the value goes out
/// of scope; `join` waits for its end.
public struct SystemThread: ~Copyable, Sendable {
    private final class Start: Sendable {
        let name: String?
        let body: @Sendable () -> Void

        init(name: String?, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }

        func run() {
            if let name { SystemThread.setName(name) }
            body()
        }
    }

    private let thread: pthread_t

    /// Starts a thread, which ends when `body` returns. Returns nil if the system has no thread left.
    ///
    /// - Parameter name: for `top` and debuggers; the kernel keeps 15 bytes. Nil keeps the name of the starting thread.
    public init?(name: String? = nil, _ body: @escaping @Sendable () -> Void) {
        let start = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        var thread = pthread_t()
        let status = unsafe pthread_create(
            &thread, nil,
            { argument in
                if let argument = unsafe argument {
                    unsafe Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
                }
                return nil
            }, unsafe start.toOpaque())
        guard status == 0 else {
            unsafe start.release()
            return nil
        }
        self.thread = thread
    }

    deinit { pthread_detach(thread) }

    /// Waits for the thread's end.
    public consuming func join() {
        pthread_join(thread, nil)
        discard self
    }

    /// Names the calling thread. Failure is harmless: the name is only for display.
    private static func setName(_ name: String) {
        let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = unsafe write(file, name, name.utf8.count)
        _ = close(file)
    }
}
