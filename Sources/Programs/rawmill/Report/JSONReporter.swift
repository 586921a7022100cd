import Jobs
import Clock
import Telemetry

/// Reports a run as one JSON object a line on standard output, its kind in `event`. Other programs rely on the shape: fields
/// may be added; none is removed or changed.
struct JSONReporter: RunReporter {
    let output: TextOutput
    /// The progress line beside it; nil where there is no terminal to show it.
    let progress: ProgressLine?

    func planned(_ plan: RunPlan) {
        output.write(event: "planned") { json in
            json.field("accepted", plan.toConvert)
            json.field("new", plan.new)
            json.field("changed", plan.changed)
            json.field("again", plan.again)
            json.field("pending", plan.pending)
            json.field("unchanged", plan.unchanged)
            json.field("failedBefore", plan.failedBefore)
            json.field("unreadable", plan.unreadable)
            json.field("notRaw", plan.notRaw)
            json.field("links", plan.links)
            json.field("excluded", plan.excluded)
            json.field("ratedLower", plan.ratedLower)
        }
    }

    func completed(_ job: CompletedJob) {
        output.write(event: "completed") { json in
            json.field("job", job.job)
            json.field("source", bytes: job.source)
            json.field("asset", job.asset)
            json.field("photo", job.photos.first.map { LogValue(Text($0)) })
            json.array("photos") { json in
                for photo in job.photos { json.element(LogValue(Text(photo))) }
            }
            json.array("occupied") { json in
                for name in job.occupied { json.element(LogValue(Text(name))) }
            }
            json.field("reused", job.reused)
            json.field("degraded", job.degraded.map(LogValue.text))
            json.field("cameraWithoutProfile", job.cameraWithoutProfile.map(LogValue.text))
            json.object("milliseconds") { json in
                for stage in job.milliseconds { json.field(stage.stage, stage.milliseconds) }
            }
        }
    }

    func failed(_ job: FailedSource) {
        output.write(event: "failed") { json in
            json.field("job", job.job.map(LogValue.text))
            json.field("source", bytes: job.source)
            json.field("reason", job.reason)
            json.field("message", job.message)
            json.field("remedy", FailureReason(rawValue: job.reason).map { .text($0.remedy) })
            json.field("before", job.before)
        }
    }

    func skipped(_ file: SkippedSource) {
        output.write(event: "skipped") { json in
            json.field("source", bytes: file.source)
            json.field("reason", file.reason)
            json.field("message", file.message)
        }
    }

    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        progress?.show(counts, total: total, elapsed: elapsed)
    }

    func notice(_ text: String) { progress?.console.write(line: TerminalText.escape(text)) }

    func ended(_ summary: RunSummary) {
        progress?.end()
        output.write(event: "summary") { json in
            json.field("accepted", summary.accepted)
            json.field("completed", summary.completed)
            json.field("degraded", summary.degraded)
            json.field("failed", summary.failed)
            json.field("unchanged", summary.unchanged)
            json.field("failedBefore", summary.failedBefore)
            json.field("unreadable", summary.unreadable)
            json.field("unplaced", summary.unplaced)
            json.field("kept", summary.kept)
            json.field("reused", summary.reused)
            json.field("open", summary.open)
            json.field("elapsedSeconds", summary.elapsed.seconds)
            json.field("photosPerSecond", summary.photosPerSecond)
            json.field("notImported", summary.notImported)
            json.field("sentence", summary.notImportedSentence.map(LogValue.text))
        }
    }

    private struct Text: CustomStringConvertible {
        let description: String
        init(_ bytes: [UInt8]) { description = String(decoding: bytes, as: UTF8.self) }
    }
}
