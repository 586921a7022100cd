internal import Glibc
public import Metrics

/// The process itself, by the names Prometheus' own clients use.
public final class ProcessMonitor: Sendable {
    private let resident: Gauge
    private let processor: Counter
    private let descriptors: Gauge
    private let spans: Counter

    /// - Parameters:
    ///   - role: `worker`, `coordinator`, `catalogue`.
    ///   - engine: decides the pixels.
    public init(_ registry: MetricRegistry, role: String, version: String, engine: UInt32) {
        registry.gauge(
            "rawmill_build_info", "1, for what runs here.", labels: ["role", "version", "engine"]
        ).set(1, [role, version, engine.description])
        resident = registry.gauge("process_resident_memory_bytes", "Memory of this process, without its children.")
        processor = registry.counter("process_cpu_seconds_total", "Processor time, with that of children that ended.")
        descriptors = registry.gauge("process_open_fds", "Open descriptors.")
        spans = registry.counter(
            "rawmill_trace_spans_total", "Spans of traces: brought to the collector, or dropped.", labels: ["outcome"])
    }

    public func refresh() {
        processor.set(Self.seconds(RUSAGE_SELF.rawValue) + Self.seconds(RUSAGE_CHILDREN.rawValue))
        if let pages = Self.residentPages { resident.set(Double(pages) * Double(sysconf(Int32(_SC_PAGESIZE)))) }
        if let count = Self.openDescriptors { descriptors.set(Double(count)) }
    }

    /// Spans so far; of a process that records traces.
    public func traced(exported: Int, dropped: Int) {
        spans.set(Double(exported), ["exported"])
        spans.set(Double(dropped), ["dropped"])
    }

    private static func seconds(_ who: Int32) -> Double {
        var usage = rusage()
        guard getrusage(who, &usage) == 0 else { return 0 }
        let user = Double(usage.ru_utime.tv_sec) + Double(usage.ru_utime.tv_usec) / 1e6
        return user + Double(usage.ru_stime.tv_sec) + Double(usage.ru_stime.tv_usec) / 1e6
    }

    /// The second number of `/proc/self/statm`.
    private static var residentPages: Int64? {
        guard let file = fopen("/proc/self/statm", "re") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, Int32(line.count), file) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.split(separator: " ")
        return words.count > 1 ? Int64(words[1]) : nil
    }

    private static var openDescriptors: Int? {
        guard let folder = opendir("/proc/self/fd") else { return nil }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the folder's own.
        return max(0, count - 3)
    }
}
