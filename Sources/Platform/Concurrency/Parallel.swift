internal import Synchronization

/// Divides work among threads.
public enum Parallel {
    /// Calls `body` once for each index below `count`, all at the same time, and returns when every call has returned.
    ///
    /// Each call has a thread of its own, except the last index, which runs on the calling thread. If the system is out
    /// of threads, the remaining calls run one after another on the calling thread.
    ///
    /// - Parameters:
    ///   - count: a small number, such as the machine's cores. Zero or less calls nothing.
    ///   - team: has the threads; nil for new ones.
    ///   - body: receives its index. Calls with different indices must not write to the same memory.
    public static func forEach(
        _ count: Int, by team: ThreadTeam? = nil, _ body: @Sendable (_ index: Int) -> Void
    ) {
        withoutActuallyEscaping(body) { body in
            let threads = (0..<max(count - 1, 0)).map { index in BackgroundThread(of: team) { body(index) } }
            if count > 0 { body(count - 1) }
            for thread in threads { thread.wait() }
        }
    }

    /// The results of `body` for each index below `count`, which a few threads share: each takes a run of indices.
    ///
    /// - Parameters:
    ///   - threads: at most so many, the calling one among them.
    ///   - team: has them; nil for new ones.
    ///   - body: receives its index. Calls with different indices must not write to the same memory.
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
