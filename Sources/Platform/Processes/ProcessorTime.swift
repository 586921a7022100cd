internal import Glibc

/// Processor time.
public enum ProcessorTime {
    /// Processor time of all threads of a process so far; nil if the process has ended.
    public static func used(by pid: Int32) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
