internal import Glibc
public import Metrics

/// Metrics of the process, named as in Prometheus' own clients.
public final class ProcessMonitor: Sendable {
    private let resident: Gauge
    private let processor: Counter
    private let descriptors: Gauge
    private let spans: Counter

    /// - Parameters:
    ///   - role: `worker`, `coordinator` or `catalogue`.
    ///   - engine: version of the engine, which decides the pixels.
    public init(_ registry: MetricRegistry, role: String, version: String, engine: UInt32) {
        registry.gauge(
            "rawmill_build_info", "Always 1; the labels describe the running build.",
            labels: ["role", "version", "engine"]
        ).set(1, [role, version, engine.description])
        resident = registry.gauge("process_resident_memory_bytes", "Memory of this process, without its children.")
        processor = registry.counter("process_cpu_seconds_total", "Processor time, including that of ended children.")
        descriptors = registry.gauge("process_open_fds", "Open descriptors.")
        spans = registry.counter(
            "rawmill_trace_spans_total", "Trace spans exported to the collector or dropped.", labels: ["outcome"])
    }

    /// Reads memory, processor time and open descriptors from the kernel.
    public func refresh() {
        processor.set(Self.seconds(RUSAGE_SELF.rawValue) + Self.seconds(RUSAGE_CHILDREN.rawValue))
        if let pages = Self.residentPages { resident.set(Double(pages) * Double(sysconf(Int32(_SC_PAGESIZE)))) }
        if let count = Self.openDescriptors { descriptors.set(Double(count)) }
    }

    /// Updates the total numbers of spans, in a process that records traces.
    public func recordSpans(exported: Int, dropped: Int) {
        spans.set(Double(exported), ["exported"])
        spans.set(Double(dropped), ["dropped"])
    }

    private static func seconds(_ who: Int32) -> Double {
        var usage = rusage()
        guard unsafe getrusage(who, &usage) == 0 else { return 0 }
        let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        return user + Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
    }

    /// From the second field of `/proc/self/statm`.
    private static var residentPages: Int64? {
        guard let file = unsafe fopen("/proc/self/statm", "re") else { return nil }
        defer { unsafe fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard unsafe fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? Int64(fields[1]) : nil
    }

    private static var openDescriptors: Int? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of this folder.
        return max(0, count - 3)
    }
}
