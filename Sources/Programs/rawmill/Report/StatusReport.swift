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

    static func writeJSON(_ ledger: LedgerStore, roots: RootMap, to output: TextOutput) throws {
        try ledger.reports.eachBatch { batch in
            output.write(event: "batch") { json in
                json.field("batch", batch.batch.description)
                json.field("submitted", WallClock.text(milliseconds: batch.submittedMilliseconds))
                json.field("look", batch.recipe.look.description)
                json.field("state", "\(batch.state)")
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
        let totals = try ledger.reports.totals()
        output.write(event: "total") { CountsText.write(totals, to: &$0) }
    }
}
