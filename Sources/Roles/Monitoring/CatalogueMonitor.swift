public import Catalogue
internal import Clock
internal import Manifests
public import Metrics
internal import PhotoTree
internal import Telemetry

/// A cataloguer's metrics and readiness.
public final class CatalogueMonitor: Sendable {
    /// The registry that holds the metrics.
    public let registry: MetricRegistry
    /// Ready when the library is open.
    public let readiness: Readiness
    private let manifests: Counter
    private let renditions: Counter
    private let commitTime: Histogram
    private let lag: Gauge

    /// Registers the metrics.
    public init(_ registry: MetricRegistry) {
        self.registry = registry
        readiness = Readiness([.open: "the library is not open yet"])
        manifests = registry.counter("rawmill_catalogue_manifests_total", "Manifests merged into the library.")
        renditions = registry.counter(
            "rawmill_catalogue_renditions_total", "Renditions of merged manifests, by change.",
            labels: ["change"])
        for change in ["added", "replaced", "none", "refused"] { renditions.add(0, [change]) }
        commitTime = registry.histogram(
            "rawmill_catalogue_commit_duration_seconds",
            "Time to merge a batch of manifests, from the start of the transaction to the last link.",
            bounds: HistogramBounds.commit)
        lag = registry.gauge("rawmill_catalogue_lag", "Manifests not merged yet.", labels: ["partition"])
    }

    /// Reports that the library is open and locked.
    public func libraryOpened() { readiness.setMet(.open) }

    /// Counts a merged batch.
    public func record(_ batch: BatchMergeResult) {
        manifests.add(Double(batch.manifests.count))
        commitTime.observe(batch.time.seconds)
        var counts: [String: Double] = [:]
        for frame in batch.manifests.lazy.flatMap(\.frames) { counts[Self.label(frame.outcome), default: 0] += 1 }
        for (change, count) in counts { renditions.add(count, [change]) }
    }

    /// Reports why the library cannot be written, such as a full disk; nil when it can.
    public func waits(for cause: String?) {
        if let cause { readiness.setUnmet(.working, cause) } else { readiness.setMet(.working) }
    }

    private static func label(_ outcome: ManifestMergeResult.Frame.Outcome) -> String {
        switch outcome {
        case .merged(.added): "added"
        case .merged(.replaced): "replaced"
        case .merged(.none): "none"
        case .refused: "refused"
        }
    }

    /// Updates the lag periodically until the task is cancelled. During an outage the lag keeps its last value.
    public func watch(_ cataloguer: Cataloguer, every interval: Duration = .seconds(5)) async {
        await Periodic.run(every: interval) {
            if let progress = try? await cataloguer.progress() {
                lag.replace(progress.lags.map { partition, lag in ([partition.description], Double(lag)) })
            }
        }
    }
}
