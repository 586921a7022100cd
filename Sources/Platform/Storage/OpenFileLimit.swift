internal import Glibc

/// Limit on this process's open files.
public enum OpenFileLimit {
    /// The current limit (`ulimit -n`).
    public static var current: Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 256 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit to `count`, as far as the system allows. The default is 1,024 only because of programs that use
    /// select(2).
    public static func raise(to count: Int) {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
        limit.rlim_cur = min(rlim_t(count), limit.rlim_max)
        unsafe setrlimit(resource, &limit)
    }
}
