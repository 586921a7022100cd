import Clock
import ClusterControl
import CommandLineTool
import Jobs
import Manifests
import Telemetry

enum ClusterReport {
    /// How long a worker may be silent before it is shown as gone, in milliseconds.
    private static let goneMilliseconds: Int64 = 600_000

    /// The number of names of one kind in a list of batches.
    private static let maxNames = 3

    static func write(
        _ cluster: ClusterStatus, everything: Bool, to output: TextOutput, now: Int64 = WallClock.milliseconds
    ) {
        if let coordinator = cluster.coordinator {
            let note = coordinator.isPaused ? "all batches are paused, " : ""
            output.write(line: "coordinator: \(note)heard \(ago(coordinator.atMilliseconds, now))")
        } else {
            output.write(line: "coordinator: never seen. Start it: rawmill coordinator")
        }
        let batches = BatchSelection(of: cluster.batches, everything: everything, isOver: \.isOver)
        if let note = batches.note { output.write(line: note) }
        for batch in batches.shown { for line in lines(batch, maxNames: maxNames) { output.write(line: line) } }
        if let counts = cluster.coordinator?.counts { output.write(line: "all: \(CountsText.sentence(counts))") }
        if let coordinator = cluster.coordinator {
            let refusals = RefusalText(refused: coordinator.refused, unseen: coordinator.unseen)
            for line in refusals.lines { output.write(line: "  \(line)") }
        }
        for failure in cluster.coordinator?.failures ?? [] {
            output.write(line: "  \(failure.jobs) \(failure.reason.rawValue)")
        }
        for worker in cluster.workers { output.write(line: line(worker, now)) }
        if cluster.workers.isEmpty { output.write(line: "workers: none") }
    }

    static func lines(_ batch: BatchStatus, maxNames: Int = .max) -> [String] {
        let time = WallClock.text(milliseconds: batch.submittedMilliseconds).prefix(19)
        let phase = batch.phase == .running || batch.phase == .completed ? "" : " (\(batch.phase))"
        let lane = batch.lane == .interactive ? "  interactive" : ""
        var lines = ["batch \(batch.batch.description.prefix(8))  \(time)Z  \(batch.look)\(lane)\(phase)"]
        if let problem = batch.problem { lines.append("  \(TerminalText.escape(problem))") }
        lines.append("  \(CountsText.sentence(batch.counts))")
        let notes = [
            (batch.unchanged, "unchanged"), (batch.failedBefore, "failed before"), (batch.unreadable, "unreadable"),
            (batch.missing, "missing"),
            (batch.links, batch.links == 1 ? "link not followed" : "links not followed"), (batch.notRaw, "not RAW"),
            (batch.reused, batch.reused == 1 ? "photo already existed" : "photos already existed"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !notes.isEmpty { lines.append("  \(notes.joined(separator: ", "))") }
        if batch.phase == .completed, batch.isNothing {
            lines.append(
                "  nothing to convert: its sources have no RAW file, or --exclude and --min-rating leave out all")
        }
        lines += RefusalText(refused: batch.refused, unseen: batch.unseen, last: batch.refusal).lines.map { "  \($0)" }
        return lines + FileGroupText.lines(batch.files, maxNames: maxNames, batch: batch.batch)
    }

    private static func line(_ worker: WorkerStatus, _ now: Int64) -> String {
        let name = "worker \(TerminalText.escape(worker.worker))"
        let ends = "\(worker.completed) completed, \(worker.failed) failed  engine \(worker.engine)"
        let quiet = WallClock.elapsed(since: worker.atMilliseconds, now: now)
        if quiet > goneMilliseconds {
            return "\(name)  gone since \(WallClock.text(milliseconds: worker.atMilliseconds).prefix(19))Z  \(ends)"
        }
        let state = quiet > ClusterStatus.silentMilliseconds ? "silent" : worker.state
        return "\(name)  \(TerminalText.escape(state))  \(worker.currentJobs.count) of \(worker.slots) slots  \(ends)  "
            + "heard \(ago(worker.atMilliseconds, now))"
    }

    static func ago(_ then: Int64, _ now: Int64) -> String {
        Duration.milliseconds(WallClock.elapsed(since: then, now: now)).spoken + " ago"
    }

    // MARK: - JSON

    static func writeJSON(_ cluster: ClusterStatus, to output: TextOutput) {
        for batch in cluster.batches { writeJSON(batch, to: output) }
        for worker in cluster.workers { output.write(line: JSONWriter.line(line(worker))) }
        guard let coordinator = cluster.coordinator else { return }
        let failures = JSONFields(coordinator.failures.map { ($0.reason.rawValue, $0.jobs) })
        output.write(
            event: "total",
            ["paused": coordinator.isPaused, "heard": WallClock.text(milliseconds: coordinator.atMilliseconds)]
                + JSONFields(counts: coordinator.counts)
                + ["refused": coordinator.refused, "unseen": coordinator.unseen, "failures": failures])
    }

    /// A batch, and its files that need attention.
    static func writeJSON(_ batch: BatchStatus, to output: TextOutput) {
        FileGroupText.write(batch.files, of: batch.batch, to: output)
        output.write(line: JSONWriter.line(line(batch)))
    }

    private static func line(_ batch: BatchStatus) -> EventLine<JSONFields> {
        EventLine(
            "batch",
            [
                "batch": batch.batch.description,
                "submitted": WallClock.text(milliseconds: batch.submittedMilliseconds),
                "look": batch.look,
                "lane": "\(batch.lane)",
                "state": "\(batch.phase)",
            ] + JSONFields(counts: batch.counts) + [
                "unchanged": batch.unchanged,
                "failedBefore": batch.failedBefore,
                "unreadable": batch.unreadable,
                "missing": batch.missing,
                "links": batch.links,
                "notRaw": batch.notRaw,
                "reused": batch.reused,
                "refused": batch.refused,
                "unseen": batch.unseen,
                "refusal": batch.refusal?.message,
                "refusalReason": batch.refusal?.code,
                "problem": batch.problem,
            ])
    }

    private static func line(_ worker: WorkerStatus) -> EventLine<JSONFields> {
        EventLine(
            "worker",
            [
                "worker": worker.worker,
                "state": worker.state,
                "slots": worker.slots,
                "jobs": worker.currentJobs.map(\.description),
                "completed": worker.completed,
                "failed": worker.failed,
                "engine": worker.engine,
                "heard": WallClock.text(milliseconds: worker.atMilliseconds),
            ])
    }
}

extension BatchStatus {
    /// Whether its sources gave no job, old or new.
    fileprivate var isNothing: Bool {
        counts.accepted == 0 && unchanged + failedBefore + unreadable + missing == 0
    }
}
