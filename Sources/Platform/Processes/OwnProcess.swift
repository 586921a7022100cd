internal import CProcesses
internal import Glibc

/// What a process asks of the kernel for itself.
public enum OwnProcess {
    /// Has the kernel kill this process when the thread that started it ends.
    ///
    /// - Parameter parent: the process that started it.
    /// - Returns: false where that one is gone already.
    public static func end(with parent: Int32) -> Bool { rawmill_end_with_parent(parent) == 0 }

    /// Bounds the address space, and lets the process leave no core file.
    ///
    /// - Returns: false where the kernel refuses.
    public static func limitMemory(addressSpaceBytes: UInt64) -> Bool { rawmill_limit_memory(addressSpaceBytes) == 0 }

    /// Has the heap keep what is freed, up to a few megabytes, for those who ask for the same again and again. Else it
    /// goes back to the kernel each time, which fills every page of it with zeros before it gives it out again.
    public static func keepFreedMemory() { rawmill_keep_freed_memory() }

    /// If the machine runs out of memory, the kernel should end this process before others. Not more than a hint.
    public static func raiseOOMScore() {
        let file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "800", 3)
        close(file)
    }

    /// The most memory that was ever resident.
    public static var peakResidentBytes: UInt64 {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return UInt64(clamping: usage.ru_maxrss) * 1024
    }
}
