internal import Clock
internal import Concurrency
public import Metrics
internal import Storage

/// Metrics of the free space in the folders that a role writes to.
public final class DiskMonitor: Sendable {
    private let folders: [String: String]
    private let free: Gauge
    private let size: Gauge
    private let reader = DiskReader()

    /// - Parameter folders: paths, by their names in the metrics.
    public init(_ registry: MetricRegistry, folders: [String: String]) {
        self.folders = folders
        free = registry.gauge(
            "rawmill_disk_free_bytes", "Bytes this process may still write to the file system of a folder.",
            labels: ["folder"])
        size = registry.gauge("rawmill_disk_size_bytes", "Size of a folder's file system.", labels: ["folder"])
    }

    /// Measures periodically until the task is cancelled. An unreadable folder keeps its last values.
    public func watch(every interval: Duration = .seconds(15)) async {
        await Periodic.run(every: interval) {
            for (name, path) in folders {
                guard let facts = await reader.facts(of: path) else { continue }
                free.set(Double(facts.freeBytes), [name])
                size.set(Double(facts.totalBytes), [name])
            }
        }
    }
}

/// Has its own thread, because a hanging mount blocks it.
private actor DiskReader {
    private let executor = ThreadExecutor(name: "disk-monitor")
    /// The actor keeps the executor as long as it lives.
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func facts(of path: String) -> FileSystemFacts? { try? FileSystemFacts(folder: Array(path.utf8)) }
}
