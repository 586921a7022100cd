internal import Clock
internal import Digest
internal import Jobs
internal import Manifests
internal import PhotoTree
internal import PictureFormat
internal import Runs
internal import Storage
internal import Telemetry
internal import WebService
internal import Worker

/// Follows jobs, and sends their results to the pages.
final class OperationsObserver: RunObserver {
    let figures = ThroughputStatistics()
    let attempts = AttemptLog()
    private let events: EventHub
    private let library: [UInt8]
    private let onEnd: @Sendable (Manifest) -> Void

    /// - Parameters:
    ///   - library: the absolute path of the library's folder.
    ///   - onEnd: called when a job has ended.
    init(_ events: EventHub, library: String, onEnd: @escaping @Sendable (Manifest) -> Void) {
        self.events = events
        self.library = Array(library.utf8)
        self.onEnd = onEnd
    }

    // MARK: Events of the worker

    func update(_ event: WorkerEvent) {
        switch event {
        case .started(let job, let slot, _):
            figures.started(slot: slot, job: job)
        case .ended(let manifest, let timings):
            figures.ended(manifest, timings)
            if case .failed(let failure) = manifest.outcome { attempts.failed(manifest.job, failure, after: nil) }
        case .retried(let job, let failure, let delay):
            figures.left(job.id)
            attempts.failed(job.id, failure, after: delay)
        case .ready(let slots): figures.ready(slots: slots)
        case .refused, .paused, .resumed: break
        }
    }

    // MARK: Events of the cataloguer

    func finished(_ job: FinishedJob) {
        let manifest = job.manifest
        let source = String(decoding: manifest.source.raw.file.path.name, as: UTF8.self)
        switch manifest.outcome {
        case .completed(let renditions):
            let milliseconds = renditions.first.map { $0.timings.reduce(0) { $0 + Double($1.microseconds) / 1000 } }
            for (index, rendition) in renditions.enumerated() where !manifest.isHeld {
                let path = job.photos.indices.contains(index) ? job.photos[index] : []
                let photo = JSONWriter.line(
                    PhotoJSON.fields(rendition, at: below(path)) + [
                        "source": source, "milliseconds": milliseconds, "job": manifest.job.description,
                    ])
                figures.finished(photo)
                events.send("photo", photo)
            }
        case .failed(let failure):
            events.send(
                "failed",
                JSONWriter.line(
                    [
                        "job": manifest.job.description, "source": source, "reason": failure.reason.rawValue,
                        "message": failure.message(about: manifest.source.raw.file),
                    ] as JSONFields))
        }
        onEnd(manifest)
    }

    private func below(_ path: [UInt8]) -> [UInt8] {
        path.starts(with: library) ? Array(path.dropFirst(library.count + 1)) : path
    }

    // MARK: RunReporter

    func planned(_ plan: RunPlan) { batchesChanged() }
    func completed(_ job: CompletedJob) {}
    func failed(_ job: FailedSource) {}
    func skipped(_ file: SkippedSource) {}
    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {}
    func notice(_ text: String) { figures.notice(text) }
    func ended(_ summary: RunSummary) {}

    // MARK: RunObserver

    func began() { figures.reset() }
    func batchesChanged() { events.send("batches", "{}") }
}
