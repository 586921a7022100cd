import Clock
import Coordinator
import Jobs
import Manifests
import Telemetry

/// The ledger's batches, for people and programs.
enum StatusReport {
    static func write(_ ledger: LedgerStore, everything: Bool, to output: TextOutput) throws {
        var all: [BatchReport] = []
        try ledger.reports.eachBatch { all.append($0) }
        let batches = BatchSelection(of: all, everything: everything) { $0.counts.open == 0 }
        if let note = batches.note { output.write(line: note) }
        for batch in batches.shown {
            let time = WallClock.text(milliseconds: batch.submittedMilliseconds).prefix(19)
            let state = batch.state == .running ? "" : " (\(batch.state))"
            output.write(line: "batch \(batch.batch.description.prefix(8))  \(time)Z  \(batch.recipe.look)\(state)")
            output.write(line: "  \(CountsText.sentence(batch.counts))")
        }
        output.write(line: "all: \(CountsText.sentence(try ledger.reports.totals()))")
    }

    /// What counts do not say: names refused jobs, degraded photos, and what the plans left out or could not read.
    static func writeNames(_ ledger: LedgerStore, roots: RootMap, to output: TextOutput) throws {
        var heading = Heading(output: output)
        try ledger.reports.eachRefusal { job in
            heading.write("refused by the library, and handed out again")
            output.write(line: "  \(TerminalText.escape(roots.absolute(job.file)))")
            output.write(line: "    \(TerminalText.escape(job.refusal.message))")
        }
        heading = Heading(output: output)
        try ledger.reports.eachDegraded { job in
            heading.write("degraded: look at these photos")
            output.write(line: "  \(TerminalText.escape(roots.absolute(job.file)))")
            output.write(line: "    \(TerminalText.escape(job.cause))")
        }
        heading = Heading(output: output)
        try ledger.reports.eachProblem { problem in
            heading.write("left out")
            output.write(line: "  \(TerminalText.escape(problem.message))")
        }
    }

    /// A line above the first of many.
    private struct Heading {
        let output: TextOutput
        var isWritten = false

        mutating func write(_ text: String) {
            if !isWritten { output.write(line: "\n\(text):") }
            isWritten = true
        }
    }

    static func writeJSON(_ ledger: LedgerStore, roots: RootMap, to output: TextOutput) throws {
        try ledger.reports.eachBatch { batch in
            output.write(event: "batch") { json in
                json.field("batch", batch.batch.description)
                json.field("submitted", WallClock.text(milliseconds: batch.submittedMilliseconds))
                json.field("look", batch.recipe.look.description)
                let isOver = batch.state == .running && batch.counts.open == 0
                json.field("state", isOver ? "completed" : "\(batch.state)")
                CountsText.write(batch.counts, to: &json)
            }
        }
        try ledger.reports.eachFailure { job in
            guard !job.isSuperseded else { return }
            output.write(event: "failed") { json in
                json.field("job", job.job.description)
                json.field("batch", job.batch.description)
                json.field("source", bytes: roots.absolute(job.file))
                json.field("reason", job.failure.reason.rawValue)
                json.field("message", job.failure.message(about: job.file))
                json.field("attempts", job.attempts)
            }
        }
        try ledger.reports.eachRefusal { job in
            output.write(event: "refused") { json in
                json.field("job", job.job.description)
                json.field("batch", job.batch.description)
                json.field("source", bytes: roots.absolute(job.file))
                json.field("reason", job.refusal.code)
                json.field("message", job.refusal.message)
                json.field("refusals", job.count)
            }
        }
        try ledger.reports.eachDegraded { job in
            output.write(event: "degraded") { json in
                json.field("job", job.job.description)
                json.field("batch", job.batch.description)
                json.field("source", bytes: roots.absolute(job.file))
                json.field("message", job.cause)
            }
        }
        try ledger.reports.eachProblem { problem in
            output.write(event: "problem") { json in
                json.field("batch", problem.batch.description)
                json.field("source", bytes: problem.path)
                json.field("message", problem.message)
            }
        }
        let totals = try ledger.reports.totals()
        let refused = try ledger.reports.refusedCount()
        output.write(event: "total") { json in
            CountsText.write(totals, to: &json)
            json.field("refused", refused)
        }
    }
}
