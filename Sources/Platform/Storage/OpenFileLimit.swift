internal import Glibc

/// How many files this process may have open at a time.
public enum OpenFileLimit {
    /// The system's limit for this process (`ulimit -n`).
    public static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises this process's limit to `count` files, as far as the system lets it. Systems give a process 1,024 for the sake of
    /// programs that use select(2), and let it have more.
    public static func raise(to count: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
