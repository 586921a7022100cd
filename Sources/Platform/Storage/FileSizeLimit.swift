internal import Glibc

/// How large the files may become that this process writes.
public enum FileSizeLimit {
    /// The system's limit for this process in bytes (`ulimit -f`, or `LimitFSIZE=` of a unit); nil where there is none.
    public static var bytes: UInt64? {
        let limit = current
        return limit.rlim_cur == rlim_t.max ? nil : UInt64(limit.rlim_cur)
    }

    /// Raises this process's limit as far as the system lets it. A write beyond it fails from then on; without this call it
    /// would end the process.
    public static func raise() {
        var limit = current
        signal(SIGXFSZ, SIG_IGN)
        guard limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    private static let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)

    private static var current: rlimit {
        var limit = rlimit(rlim_cur: .max, rlim_max: .max)
        getrlimit(resource, &limit)
        return limit
    }
}
