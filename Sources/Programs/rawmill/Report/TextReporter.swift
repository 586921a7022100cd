import Coordinator
import Runs
import Telemetry

/// Reports a run with a progress line on a terminal, or a line for each file elsewhere. `FailureReport` prints the
/// failures at the end.
struct TextReporter: RunReporter {
    let output: TextOutput
    let roots: RootMap
    let progress: ProgressLine?
    /// Whether to print a line for each file, for logs and pipes.
    let namesEachFile: Bool
    private let notes = RunNotes()
    private let named = NamedFailures()

    init(output: TextOutput, roots: RootMap, progress: ProgressLine?, namesEachFile: Bool) {
        self.output = output
        self.roots = roots
        self.progress = progress
        self.namesEachFile = namesEachFile
    }

    func planned(_ plan: RunPlan) {
        if plan.isEmpty {
            notice(PlanText.sentence(plan))
        } else if namesEachFile, plan.isOfSources || plan.pending > 0 {
            output.write(line: PlanText.sentence(plan))
        }
    }

    func completed(_ job: CompletedJob) {
        if let camera = job.cameraWithoutProfile { notes.addWithoutProfile(TerminalText.escape(camera)) }
        guard namesEachFile else {
            if let reason = job.degraded {
                notes.add("degraded", "\(name(job.source)): \(TerminalText.escape(reason))")
            }
            return
        }
        let photo = job.photos.first.map { TerminalText.escape($0) } ?? "a photo that is not shown"
        let total = job.milliseconds.reduce(0) { $0 + $1.milliseconds }
        let note = job.degraded.map { " degraded: \(TerminalText.escape($0))" } ?? ""
        output.write(
            line:
                "done \(name(job.source)) -> \(photo) (\(NumberText.decimal(total, places: 0)) ms)\(note)"
        )
    }

    func failed(_ job: FailedSource) {
        guard named.isNew(job) else { return }
        if namesEachFile { return output.write(line: FailureText.line(job, roots)) }
        // Failed jobs are in the ledger, which names them after the run.
        if job.job == nil || job.reason == "not-placed" {
            notes.add("unreadable", roots.sentence(job.message, about: job.source))
        }
    }

    func skipped(_ file: SkippedSource) {
        let sentence = roots.sentence(file.message, about: file.source)
        guard namesEachFile else { return notes.add(file.reason, sentence) }
        // Most sentences name the file themselves.
        let isNamed = sentence.contains(name(file.source))
        output.write(line: "skipped\(isNamed ? "" : " \(name(file.source))"): \(sentence)")
    }

    private func name(_ path: [UInt8]) -> String { TerminalText.escape(roots.named(path)) }

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
        if !summary.isNothing { output.write(line: SummaryText.sentence(summary, on: output.terminal)) }
        if let sentence = summary.notImportedSentence { output.write(line: sentence) }
        for line in notes.lines(on: output.terminal) { output.write(line: line) }
    }
}
