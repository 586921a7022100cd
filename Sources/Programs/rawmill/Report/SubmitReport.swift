import Clock
import CommandLineTool
import Jobs
import Manifests
import Runs
import Telemetry

struct SubmitReport {
    let order: ConversionOrder
    let asJSON: Bool
    private let console = Console(terminal: Terminal(descriptor: 2))
    private let line: ProgressLine
    private let watch = Stopwatch()

    init(order: ConversionOrder, asJSON: Bool) {
        self.order = order
        self.asJSON = asJSON
        line = ProgressLine(console: console)
    }

    func submitted() {
        guard asJSON else {
            return TextOutput.standardOutput.write(line: "Submitted: batch \(order.batch).")
        }
        TextOutput.standardOutput.write(
            event: "submitted",
            [
                "batch": order.batch.description
            ])
    }

    /// Shows the batch's progress, speed and remaining time.
    func progress(_ status: BatchStatus) {
        guard status.phase != .paused else { return console.show(progress: "Paused: `rawmill resume` continues.") }
        let counts = status.counts
        line.show(
            RunCounts(
                completed: Self.sane(counts.catalogued), degraded: Self.sane(counts.degraded),
                failed: Self.sane(counts.failed)), total: Self.sane(counts.accepted), elapsed: watch.elapsed,
            note: RefusalText(refused: status.refused, unseen: status.unseen).note)
    }

    /// A record's numbers may be inconsistent or impossible: another program may have written it.
    private static func sane(_ count: Int) -> Int { min(max(count, 0), 1 << 40) }

    func ended(_ status: BatchStatus) -> Int32 {
        console.clearProgress()
        if asJSON {
            ClusterReport.writeJSON(status, to: .standardOutput)
        } else {
            for line in ClusterReport.lines(status) { TextOutput.standardOutput.write(line: line) }
        }
        switch status.phase {
        case .refused: return ExitStatus.usage
        default: return status.counts.failed > 0 || status.unreadable > 0 ? ExitStatus.someFailed : ExitStatus.done
        }
    }
}
