import Clock
import Jobs
import Runs
import Telemetry

/// Reports a run as one JSON object a line on standard output, with its kind in `event`. The format is stable: fields
/// may be added, but not removed or changed.
struct JSONReporter: RunReporter {
    let output: TextOutput
    /// The progress line; nil without a terminal.
    let progress: ProgressLine?

    func planned(_ plan: RunPlan) {
        output.write(
            event: "planned",
            [
                "accepted": plan.toConvert,
                "new": plan.new,
                "changed": plan.changed,
                "again": plan.again,
                "pending": plan.pending,
                "unchanged": plan.unchanged,
                "failedBefore": plan.failedBefore,
                "unreadable": plan.unreadable,
                "notRaw": plan.notRaw,
                "links": plan.links,
                "excluded": plan.excluded,
                "ratedLower": plan.ratedLower,
            ])
    }

    func completed(_ job: CompletedJob) {
        output.write(
            event: "completed",
            [
                "job": job.job, "source": text(job.source), "asset": job.asset, "photo": job.photos.first.map(text),
                "photos": job.photos.map(text), "occupied": job.occupied.map(text), "reused": job.reused,
                "degraded": job.degraded, "cameraWithoutProfile": job.cameraWithoutProfile,
                "milliseconds": JSONFields(job.milliseconds.map { ($0.stage, $0.milliseconds) }),
            ])
    }

    func failed(_ job: FailedSource) {
        output.write(
            event: "failed",
            [
                "job": job.job,
                "source": text(job.source),
                "reason": job.reason,
                "message": job.message,
                "remedy": FailureReason(rawValue: job.reason)?.remedy,
                "before": job.before,
            ])
    }

    func skipped(_ file: SkippedSource) {
        output.write(
            event: "skipped",
            [
                "source": text(file.source),
                "reason": file.reason,
                "message": file.message,
            ])
    }

    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        progress?.show(counts, total: total, elapsed: elapsed)
    }

    func notice(_ text: String) { progress?.console.write(line: TerminalText.escape(text)) }

    func ended(_ summary: RunSummary) {
        progress?.end()
        output.write(
            event: "summary",
            [
                "accepted": summary.accepted,
                "completed": summary.completed,
                "degraded": summary.degraded,
                "failed": summary.failed,
                "unchanged": summary.unchanged,
                "failedBefore": summary.failedBefore,
                "unreadable": summary.unreadable,
                "unplaced": summary.unplaced,
                "kept": summary.kept,
                "reused": summary.reused,
                "open": summary.open,
                "elapsedSeconds": summary.elapsed.seconds,
                "photosPerSecond": summary.photosPerSecond,
                "notImported": summary.notImported,
                "sentence": summary.notImportedSentence,
            ])
    }

    private func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
}
