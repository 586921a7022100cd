internal import Glibc

/// The share of the machine that this process may use. A container, a control group or `taskset` can limit it.
public enum Machine {
    /// Number of processors that this process may keep busy; at least 1. A fraction counts as a whole one.
    public static var cores: Int {
        guard let quota = limits.processors, quota < Double(allowedProcessors) else { return allowedProcessors }
        return max(1, Int(quota.rounded(.up)))
    }

    /// Bytes of memory that this process and its children may use together.
    public static var memoryBytes: UInt64 { min(limits.memoryBytes ?? .max, physicalBytes) }

    /// Processors that control groups allow, such as 1.5; nil for no limit.
    public static var processorLimit: Double? { limits.processors }

    /// Bytes of memory that control groups allow; nil for no limit.
    public static var memoryLimitBytes: UInt64? { limits.memoryBytes }

    /// Bytes of memory still available, as the kernel estimates; nil if unknown.
    public static var availableBytes: UInt64? {
        let line = text(of: "/proc/meminfo")?.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { UInt64($0) }.map { $0 << 10 }
    }

    private static var limits: ResourceLimits {
        let groups = ControlGroups(
            membership: text(of: "/proc/self/cgroup") ?? "", mounts: text(of: "/proc/self/mountinfo") ?? "")
        return ResourceLimits(groups, read: text)
    }

    /// Bytes of memory in the machine.
    public static var physicalBytes: UInt64 {
        UInt64(max(0, sysconf(Int32(_SC_PHYS_PAGES)))) * UInt64(max(0, sysconf(Int32(_SC_PAGESIZE))))
    }

    /// Number of processors in this process's affinity mask, sched_setaffinity(2). cpusets of control groups also
    /// restrict it.
    public static var allowedProcessors: Int {
        let online = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        guard let status = text(of: "/proc/self/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") })
        else { return online }
        // A hexadecimal mask in groups separated by commas.
        let allowed = line.dropFirst(13).compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
        return max(1, min(allowed, online))
    }

    /// The content of a small file in /proc or /etc; nil if it cannot be opened.
    static func text(of path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < maxBytes {
            let count = unsafe read(file, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += part[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Limit for such a file; /proc/self/mountinfo is the longest.
    private static let maxBytes = 16 << 20
}
