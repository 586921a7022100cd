internal import CProcesses
internal import Glibc

/// Settings and facts of this process.
public enum CurrentProcess {
    /// Lets the kernel kill this process when the thread that started it ends, prctl(2) `PR_SET_PDEATHSIG`. Returns
    /// false if `parent`, the process of that thread, has already ended.
    public static func endWithParent(_ parent: Int32) -> Bool { rawmill_end_with_parent(parent) == 0 }

    /// Lets the heap keep a few megabytes of freed memory, for programs that allocate the same sizes repeatedly.
    /// Otherwise the memory returns to the kernel, which zeroes each page before reuse.
    public static func keepFreedMemory() { rawmill_keep_freed_memory() }

    /// Returns freed memory to the kernel at once, for a server whose threads come and go. Call before starting
    /// threads.
    public static func returnFreedMemory() { rawmill_return_freed_memory() }

    /// The `oom_score_adj` of a process that called ``raiseOOMScore()``.
    public static let raisedOOMScore = 800

    /// Asks the kernel to kill this process before others when memory runs out. Best effort.
    public static func raiseOOMScore() {
        let file = unsafe open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        let text = String(raisedOOMScore)
        _ = unsafe write(file, text, text.utf8.count)
        close(file)
    }

    /// The largest resident set so far, in bytes.
    public static var peakResidentBytes: UInt64 {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(clamping: usage.ru_maxrss) * 1024
    }

    /// The current resident set in bytes; 0 if unknown.
    public static var residentBytes: UInt64 {
        let file = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = unsafe read(file, &buffer, buffer.count)
        let fields = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = UInt64(fields[1]) else { return 0 }
        return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    }
}
