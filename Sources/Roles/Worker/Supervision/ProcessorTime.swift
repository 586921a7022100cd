internal import Glibc

/// Processor time as the kernel counts it.
enum ProcessorTime {
    /// What all threads of a process have used up to now; nil if the process is gone.
    static func used(by pid: pid_t) -> Duration? {
        var clock = clockid_t()
        var time = timespec()
        guard unsafe clock_getcpuclockid(pid, &clock) == 0, unsafe clock_gettime(clock, &time) == 0 else { return nil }
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
