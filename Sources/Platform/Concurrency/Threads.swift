/// Runs a function for each index of a small range at once, one thread each, and returns when all are done.
public enum Threads {
    /// The last index runs on the calling thread.
    public static func forEach(_ count: Int, _ body: (Int) -> Void) {
        withoutActuallyEscaping(body) { body in
            let started = (0..<max(count - 1, 0)).map { index in BackgroundThread { body(index) } }
            if count > 0 { body(count - 1) }
            for other in started { other.wait() }
        }
    }
}
