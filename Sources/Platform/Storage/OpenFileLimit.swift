internal import Glibc

/// How many files this process may have open at a time.
public enum OpenFileLimit {
    /// The system's limit for this process (`ulimit -n`).
    public static var current: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }
}
