package import Catalogue
internal import Clock
package import Coordinator
internal import Digest
internal import Jobs
internal import Manifests
internal import Synchronization
internal import Telemetry
package import Tracing
package import Worker

/// A cluster's jobs as traces. Each order is one trace, which `submit` begins. It contains the coordinator's `plan` and
/// each job's `render` with its stages; a render contains the coordinator's `close` and the cataloguer's `merge`. The
/// records carry the context in their `traceparent`.
private enum JobTraces {
    /// The span of a job's last render. Every role computes the same number, and so knows the parent of its spans.
    static func renderSpan(_ job: JobID, attempts: UInt32) -> UInt64 {
        let start = job.digest.bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return start &+ UInt64(attempts) &* 0x9E37_79B9_7F4A_7C15
    }
}

/// Spans that have begun and not ended. Beyond `maxCount`, the oldest is dropped.
private struct OpenSpans<Key: Hashable & Sendable>: Sendable {
    private var all: [Key: (context: TraceContext, start: UInt64)] = [:]
    private static var maxCount: Int { 1024 }

    mutating func begin(_ key: Key, _ traceparent: String?) {
        guard let context = traceparent.flatMap({ TraceContext($0) }) else { return }
        if all.count >= Self.maxCount, let oldest = all.min(by: { $0.value.start < $1.value.start }) {
            all[oldest.key] = nil
        }
        all[key] = (context, WallClock.nanoseconds)
    }

    mutating func end(_ key: Key) -> (context: TraceContext, start: UInt64)? { all.removeValue(forKey: key) }
}

/// Exports a worker's spans.
package final class WorkerTraces: Sendable {
    private let exporter: SpanExporter
    private let open = Mutex(OpenSpans<JobID>())

    package init(_ exporter: SpanExporter) { self.exporter = exporter }

    package func take(_ event: WorkerEvent) {
        switch event {
        case .started(let job, _, let traceparent): open.withLock { $0.begin(job.id, traceparent) }
        case .ended(let manifest, let timings): ended(manifest, timings)
        case .retried(let job, let failure, _):
            guard let (context, start) = open.withLock({ $0.end(job.id) }) else { return }
            exporter.take(
                Span("render", below: context, start: start, attributes: ["job": "\(job.id)"], failure: failure.message)
            )
        default: break
        }
    }

    private func ended(_ manifest: Manifest, _ timings: [StageTiming]) {
        guard let (context, start) = open.withLock({ $0.end(manifest.job) }) else { return }
        var problem: String?
        if case .failed(let failure) = manifest.outcome { problem = "\(failure.reason.rawValue): \(failure.message)" }
        let render = Span(
            "render", below: context, id: JobTraces.renderSpan(manifest.job, attempts: manifest.attempts), start: start,
            attributes: [
                "job": "\(manifest.job)", "batch": "\(manifest.batch)", "source": "\(manifest.source.raw.file)",
                "worker": "\(manifest.worker)", "attempt": .init(manifest.attempts),
            ], failure: problem)
        exporter.take(render)
        // The stages are consecutive. Their durations come from the render process, which may send any number.
        var time = start
        for timing in timings {
            let end = time &+ timing.microseconds &* 1000
            exporter.take(Span(timing.stage, below: render.context, start: time, end: end))
            time = end
        }
    }
}

/// Exports a coordinator's spans.
package final class CoordinatorTraces: Sendable {
    private let exporter: SpanExporter
    private let open = Mutex(OpenSpans<BatchID>())

    package init(_ exporter: SpanExporter) { self.exporter = exporter }

    package func take(_ event: RunEvent) {
        switch event {
        case .ordered(let order, let traceparent): open.withLock { $0.begin(order.batch, traceparent) }
        case .orderPlanned(let batch, let counts): planned(batch, jobs: counts.submitted, failure: nil)
        case .refused(let batch, let problem): planned(batch, jobs: 0, failure: problem)
        case .ended(let result, let end):
            exporter.export(
                "close", of: result.job, attempts: result.attempts, since: result.finishedMilliseconds,
                result.traceparent,
                ["job": "\(result.job)", "batch": "\(result.batch)", "outcome": "\(end)"])
        default: break
        }
    }

    private func planned(_ batch: BatchID, jobs: Int, failure: String?) {
        guard let (context, start) = open.withLock({ $0.end(batch) }) else { return }
        exporter.take(
            Span(
                "plan", below: context, start: start, attributes: ["batch": "\(batch)", "jobs": .init(jobs)],
                failure: failure))
    }
}

extension SpanExporter {
    /// Exports the merge of a manifest into the library.
    package func export(_ merged: ManifestMergeResult) {
        let manifest = merged.manifest
        export(
            "merge", of: manifest.job, attempts: manifest.attempts, since: manifest.finishedMilliseconds,
            merged.traceparent, ["job": "\(manifest.job)", "batch": "\(manifest.batch)"])
    }

    /// Exports a role's work on a job, from the render's end to now.
    fileprivate func export(
        _ name: String, of job: JobID, attempts: UInt32, since finishedMilliseconds: Int64, _ traceparent: String?,
        _ attributes: KeyValuePairs<String, LogValue>
    ) {
        guard let context = traceparent.flatMap({ TraceContext($0) }) else { return }
        let render = JobTraces.renderSpan(job, attempts: attempts)
        let start = UInt64(clamping: finishedMilliseconds).multipliedReportingOverflow(by: 1_000_000)
        take(Span(name, below: context.below(render), start: start.partialValue, attributes: attributes))
    }
}
