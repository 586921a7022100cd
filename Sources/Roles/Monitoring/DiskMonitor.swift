internal import Concurrency
public import Metrics
internal import Storage

/// Free space of the folders that a role writes to, as metrics.
public final class DiskMonitor: Sendable {
    private let folders: [String: String]
    private let free: Gauge
    private let size: Gauge
    private let reader = DiskReader()

    /// - Parameters:
    ///   - registry: holds the metrics.
    ///   - folders: paths, by what the metrics call them.
    public init(_ registry: MetricRegistry, folders: [String: String]) {
        self.folders = folders
        free = registry.gauge(
            "rawmill_disk_free_bytes", "Bytes that this process may still write where a folder of its is.",
            labels: ["folder"])
        size = registry.gauge("rawmill_disk_size_bytes", "Size of the file system of a folder.", labels: ["folder"])
    }

    /// Looks again and again, until the task is cancelled. While a folder cannot be looked at, its figures stay as they were.
    public func watch(every interval: Duration = .seconds(15)) async {
        while !Task.isCancelled {
            for (name, path) in folders {
                guard let facts = await reader.facts(of: path) else { continue }
                free.set(Double(facts.freeBytes), [name])
                size.set(Double(facts.totalBytes), [name])
            }
            try? await Task.sleep(for: interval)
        }
    }
}

/// A mount that hangs holds up the thread that looks at it: it has one of its own.
private actor DiskReader {
    private let executor = ThreadExecutor(name: "disk-monitor")
    /// The actor keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func facts(of path: String) -> FileSystemFacts? { try? FileSystemFacts(folder: Array(path.utf8)) }
}
