import Glibc

/// Kills the worker on behalf of a poisoned render process, whose sandbox forbids it: a process outside of the sandbox,
/// started before. It ends with the render process.
struct WorkerKiller {
    /// A line written here kills the worker.
    private let trigger: Int32

    /// - Parameter worker: its process number.
    /// - Returns: nil if the system does not start it.
    init?(worker: Int32) {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        trigger = ends[1]
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
        // Otherwise the worker would not notice the end of the render process.
        unsafe posix_spawn_file_actions_addclose(&actions, 3)
        let script = "read -r line && kill -9 \(worker)"
        let words: [UnsafeMutablePointer<CChar>?] = unsafe [strdup("sh"), strdup("-c"), strdup(script), nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var killer: pid_t = 0
        guard unsafe posix_spawn(&killer, "/bin/sh", &actions, nil, words, environ) == 0 else {
            close(ends[1])
            return nil
        }
    }

    func kill() { _ = unsafe write(trigger, "\n", 1) }
}
