internal import Glibc

/// Limit on the size of files that this process writes.
public enum FileSizeLimit {
    /// In bytes (`ulimit -f`, or `LimitFSIZE=` of a unit); nil for none.
    public static var bytes: UInt64? {
        let limit = current
        return limit.rlim_cur == rlim_t.max ? nil : UInt64(limit.rlim_cur)
    }

    /// Raises the limit as far as the system allows. A write beyond it then fails, instead of killing the process.
    public static func raise() {
        var limit = current
        signal(SIGXFSZ, SIG_IGN)
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        unsafe setrlimit(resource, &limit)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)

    private static var current: rlimit {
        var limit = rlimit(rlim_cur: .max, rlim_max: .max)
        unsafe getrlimit(resource, &limit)
        return limit
    }
}
