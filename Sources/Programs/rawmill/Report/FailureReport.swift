import Coordinator
import Jobs
internal import Runs
import Telemetry

/// Failed jobs, grouped by reason with the remedy, and named by file. They are read from the ledger row by row, so
/// memory does not grow with their number.
struct FailureReport {
    let output: TextOutput
    let terminal: Terminal
    private var reason: FailureReason?
    /// The next file to write, with the number of its photos that failed alike.
    private var file: (lines: [String], count: Int)?
    private let roots: RootMap

    init(output: TextOutput, terminal: Terminal, roots: RootMap) {
        self.output = output
        self.terminal = terminal
        self.roots = roots
    }

    /// - Parameters:
    ///   - batches: the batches whose jobs are written; nil for all.
    ///   - reason: the reason of the jobs that are written; nil for all.
    static func write(
        _ ledger: Ledger, batches: Set<BatchID>? = nil, reason: FailureReason? = nil, roots: RootMap,
        to output: TextOutput, on terminal: Terminal
    ) async throws {
        try await ledger.perform { store in
            var report = FailureReport(output: output, terminal: terminal, roots: roots)
            try store.reports.eachFailure(reason: reason) { job in
                let isSelected = batches.map { $0.contains(job.batch) } ?? true
                if isSelected, !job.isSuperseded, output.isOpen { report.write(job) }
            }
            report.writeFile()
        }
    }

    /// A file that failed in several looks or sizes is written once.
    private mutating func write(_ job: FailedJob) {
        let failure = job.failure
        let lines = [
            "  \(TerminalText.escape(roots.absolute(job.file)))",
            "    \(TerminalText.escape(failure.message(about: job.file)))",
        ]
        if reason == failure.reason, let known = file, known.lines == lines {
            file = (lines, known.count + 1)
            return
        }
        writeFile()
        file = (lines, 1)
        if reason != failure.reason {
            reason = failure.reason
            let heading = Style.bold.apply(failure.reason.rawValue, on: terminal)
            output.write(line: "\n\(heading): \(failure.reason.remedy)")
        }
    }

    private mutating func writeFile() {
        guard let (lines, count) = file.take() else { return }
        output.write(line: lines[0] + (count > 1 ? " (\(count) photos)" : ""))
        for line in lines.dropFirst() { output.write(line: line) }
    }
}
