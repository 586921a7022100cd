import CommandLineTool
import Jobs
import Manifests
import Telemetry

/// What `rawmill submit` tells, for people and programs.
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
        // A record's numbers: whoever wrote them need not have counted.
        let done = counts.catalogued &+ counts.degraded
        console.show(progress: "\(done) of \(counts.accepted) photos, \(counts.failed) failed, \(status.phase)")
    }

    /// Says how the batch ended; answers the exit status.
    func ended(_ status: BatchStatus) -> Int32 {
        console.clearProgress()
        if asJSON {
            TextOutput.standardOutput.write(line: ClusterReport.json("batch", status))
        } else {
            for line in ClusterReport.lines(status) { TextOutput.standardOutput.write(line: line) }
            if status.counts.failed > 0 {
                TextOutput.standardOutput.write(
                    line: "Which, and why: `rawmill dead-letters list`.")
            }
        }
        switch status.phase {
        case .refused: return ExitStatus.usage
        default: return status.counts.failed > 0 || status.unreadable > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }
}
