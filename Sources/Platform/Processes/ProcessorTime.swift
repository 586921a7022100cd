internal import Glibc

/// Processor time as the kernel counts it.
public enum ProcessorTime {
    /// What all threads of a process have used up to now; nil if the process is gone.
    public static func used(by pid: Int32) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
