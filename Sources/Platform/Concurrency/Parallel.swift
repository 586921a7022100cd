internal import Synchronization

/// Divides work among threads.
public enum Parallel {
    /// Calls `body` concurrently for each index below `count`, a small number such as that of cores, and returns when
    /// all calls have returned. Calls must not write to the same memory.
    ///
    /// Each call has its own thread, of the team or a new one, except the last index, which runs on the calling thread.
    /// If the system is out of threads, remaining calls run on the calling thread in sequence.
    public static func forEach(
        _ count: Int, by team: ThreadTeam? = nil, _ body: @Sendable (_ index: Int) -> Void
    ) {
        withoutActuallyEscaping(body) { body in
            let threads = (0..<max(count - 1, 0)).map { index in BackgroundThread(of: team) { body(index) } }
            if count > 0 { body(count - 1) }
            for thread in threads { thread.wait() }
        }
    }

    /// The results of `body` for each index below `count`, computed by up to `threads` threads including the calling
    /// one, each with a contiguous range. Calls must not write to the same memory.
    public static func map<Value: Sendable>(
        _ count: Int, threads: Int, by team: ThreadTeam? = nil, _ body: @Sendable (_ index: Int) -> Value
    ) -> [Value] {
        let partSize = max(1, (count + threads - 1) / max(1, threads))
        let parts = Mutex<[Int: [Value]]>([:])
        forEach((count + partSize - 1) / partSize, by: team) { part in
            let values = (part * partSize..<min(count, (part + 1) * partSize)).map(body)
            parts.withLock { $0[part] = values }
        }
        return parts.withLock { parts in parts.sorted { $0.key < $1.key }.flatMap(\.value) }
    }
}
