public import Catalogue
internal import Clock
internal import Library
internal import Manifests
public import Metrics
internal import Telemetry

/// A cataloguer's metrics and readiness.
public final class CatalogueMonitor: Sendable {
    public let registry: MetricRegistry
    public let readiness: Readiness
    private let manifests: Counter
    private let renditions: Counter
    private let commit: Histogram
    private let lag: Gauge

    public init(_ registry: MetricRegistry) {
        self.registry = registry
        readiness = Readiness([.open: "the library is not open yet"])
        manifests = registry.counter("rawmill_catalogue_manifests_total", "Manifests merged into the library.")
        renditions = registry.counter(
            "rawmill_catalogue_renditions_total", "Renditions of merged manifests, by what they changed.",
            labels: ["change"])
        for change in ["added", "replaced", "none", "refused"] { renditions.add(0, [change]) }
        commit = registry.histogram(
            "rawmill_catalogue_commit_duration_seconds",
            "Time of a batch of manifests, from the transaction's begin to the last link.",
            bounds: HistogramBounds.commit)
        lag = registry.gauge("rawmill_catalogue_lag", "Manifests written and not merged yet.", labels: ["partition"])
    }

    /// The library is open and locked.
    public func opened() { readiness.met(.open) }

    /// What the cataloguer's `run` hands out.
    public func take(_ batch: BatchMergeResult) {
        manifests.add(Double(batch.manifests.count))
        commit.observe(batch.time.seconds)
        var counts: [String: Double] = [:]
        for frame in batch.manifests.lazy.flatMap(\.frames) { counts[Self.word(frame.outcome), default: 0] += 1 }
        for (change, count) in counts { renditions.add(count, [change]) }
    }

    private static func word(_ outcome: ManifestMergeResult.Frame.Outcome) -> String {
        switch outcome {
        case .merged(.added): "added"
        case .merged(.replaced): "replaced"
        case .merged(.none): "none"
        case .refused: "refused"
        }
    }

    /// Asks how far the cataloguer is, again and again, until the task is cancelled.
    public func watch(_ cataloguer: Cataloguer, every pause: Duration = .seconds(5)) async {
        while !Task.isCancelled {
            if let standing = try? await cataloguer.progress() {
                lag.replace(
                    standing.written.map { partition, end in
                        ([partition.description], Double(max(0, end - (standing.consumed[partition] ?? 0))))
                    })
            }
            try? await Task.sleep(for: pause)
        }
    }
}
