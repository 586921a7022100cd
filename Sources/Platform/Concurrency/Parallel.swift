/// Divides work among threads.
public enum Parallel {
    /// Calls `body` once for each index below `count`, all at the same time, and returns when every call has returned.
    ///
    /// Each call has a thread of its own, except the last index, which runs on the calling thread. If the system is out
    /// of threads, the remaining calls run one after another on the calling thread.
    ///
    /// - Parameters:
    ///   - count: a small number, such as the machine's cores. Zero or less calls nothing.
    ///   - body: receives its index. Calls with different indices must not write to the same memory.
    public static func forEach(_ count: Int, _ body: @Sendable (_ index: Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            let threads = (0..<max(count - 1, 0)).map { index in BackgroundThread { body(index) } }
            if count > 0 { body(count - 1) }
            for thread in threads { thread.wait() }
        }
    }
}
