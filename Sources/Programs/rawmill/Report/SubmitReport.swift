import CommandLineTool
import Jobs
import Manifests
import Telemetry

/// What `rawmill submit` prints, for people and programs.
struct SubmitReport {
    let order: ConversionOrder
    let asJSON: Bool
    private let console = Console(terminal: Terminal(descriptor: 2))

    init(order: ConversionOrder, asJSON: Bool) {
        self.order = order
        self.asJSON = asJSON
    }

    func submitted() {
        guard asJSON else {
            return TextOutput.standardOutput.write(line: "Submitted: batch \(order.batch).")
        }
        TextOutput.standardOutput.write(event: "submitted") { json in
            json.field("batch", order.batch.description)
        }
    }

    func progress(_ status: BatchStatus) {
        let counts = status.counts
        // The numbers of a record need not add up: another program may have written it.
        let done = counts.catalogued &+ counts.degraded
        console.show(
            progress: "\(done) of \(counts.accepted) photos, \(counts.failed) failed, \(status.phase)"
                + (status.refused > 0 ? ", \(status.refused) refused by the library" : ""))
    }

    /// Prints how the batch ended.
    ///
    /// - Returns: the exit status.
    func ended(_ status: BatchStatus) -> Int32 {
        console.clearProgress()
        if asJSON {
            TextOutput.standardOutput.write(line: ClusterReport.json("batch", status))
        } else {
            for line in ClusterReport.lines(status) { TextOutput.standardOutput.write(line: line) }
            if status.counts.failed > 0 {
                TextOutput.standardOutput.write(
                    line: "`rawmill dead-letters list` shows which, and why.")
            }
        }
        switch status.phase {
        case .refused: return ExitStatus.usage
        default: return status.counts.failed > 0 || status.unreadable > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }
}
