import Runs
import Telemetry

/// Reports a run with a progress line on a terminal, or a line for each file elsewhere. `FailureReport` prints the
/// failures at the end.
struct TextReporter: RunReporter {
    let output: TextOutput
    let progress: ProgressLine?
    /// Whether to print a line for each file, for logs and pipes.
    let namesEachFile: Bool
    private let notes = RunNotes()

    init(output: TextOutput, progress: ProgressLine?, namesEachFile: Bool) {
        self.output = output
        self.progress = progress
        self.namesEachFile = namesEachFile
    }

    func planned(_ plan: RunPlan) {
        if namesEachFile { output.write(line: PlanText.sentence(plan)) }
    }

    func completed(_ job: CompletedJob) {
        if let camera = job.cameraWithoutProfile { notes.addWithoutProfile(TerminalText.escape(camera)) }
        guard namesEachFile else {
            if let reason = job.degraded {
                notes.add("degraded", TerminalText.escape(job.source) + ": " + TerminalText.escape(reason))
            }
            return
        }
        let photo = job.photos.first.map { TerminalText.escape($0) } ?? "a photo that is not shown"
        let total = job.milliseconds.reduce(0) { $0 + $1.milliseconds }
        let note = job.degraded.map { " degraded: \(TerminalText.escape($0))" } ?? ""
        output.write(
            line:
                "done \(TerminalText.escape(job.source)) -> \(photo) (\(NumberText.decimal(total, places: 0)) ms)\(note)"
        )
    }

    func failed(_ job: FailedSource) {
        guard namesEachFile else {
            // Failed jobs are in the ledger, which names them after the run.
            if job.job == nil || job.reason == "not-placed" {
                notes.add("unreadable", TerminalText.escape(job.message))
            }
            return
        }
        let verb = job.before ? "failed before" : "failed"
        output.write(
            line: "\(verb) \(TerminalText.escape(job.source)): \(job.reason): \(TerminalText.escape(job.message))")
    }

    func skipped(_ file: SkippedSource) {
        guard namesEachFile else { return notes.add(file.reason, TerminalText.escape(file.message)) }
        // Most sentences name the file themselves.
        let isNamed = file.message.contains(String(decoding: file.source, as: UTF8.self))
        let name = isNamed ? "" : " \(TerminalText.escape(file.source))"
        output.write(line: "skipped\(name): \(TerminalText.escape(file.message))")
    }

    func tick(_ counts: RunCounts, total: Int, elapsed: Duration) {
        progress?.show(counts, total: total, elapsed: elapsed)
    }

    func notice(_ text: String) {
        if let progress {
            progress.console.write(line: TerminalText.escape(text))
        } else {
            output.write(line: TerminalText.escape(text))
        }
    }

    func ended(_ summary: RunSummary) {
        progress?.end()
        output.write(line: SummaryText.sentence(summary))
        if let sentence = summary.notImportedSentence { output.write(line: sentence) }
        for line in notes.lines(on: Terminal(descriptor: 1)) { output.write(line: line) }
    }
}
