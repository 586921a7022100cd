import Coordinator
import Jobs
import Telemetry

/// Failed jobs for people: grouped by reason, with the remedy, and with the name of each file. They are read from the ledger
/// row by row, so that memory does not grow with their number.
struct FailureReport {
    let output: TextOutput
    let terminal: Terminal
    private var reason: FailureReason?
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
        }
    }

    private mutating func write(_ job: FailedJob) {
        let failure = job.failure
        if reason != failure.reason {
            reason = failure.reason
            let heading = Style.bold.apply(failure.reason.rawValue, on: terminal)
            output.write(line: "\n\(heading): \(failure.reason.remedy)")
        }
        output.write(line: "  \(TerminalText.escape(roots.absolute(job.file)))")
        output.write(line: "    \(TerminalText.escape(failure.message(about: job.file)))")
    }
}
