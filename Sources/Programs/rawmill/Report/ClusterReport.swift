import Clock
import CommandLineTool
import Jobs
import Manifests
import Telemetry

/// The state of a cluster, for people and programs.
enum ClusterReport {
    /// Milliseconds without a heartbeat after which a worker is shown as silent, and as gone. It sends one every five seconds.
    static let silentMilliseconds: Int64 = 30_000
    private static let goneMilliseconds: Int64 = 600_000

    /// Names of one kind in a list of batches.
    private static let maxNames = 3

    static func write(
        _ cluster: ClusterStatus, everything: Bool, to output: TextOutput, now: Int64 = WallClock.milliseconds
    ) {
        if let coordinator = cluster.coordinator {
            let note = coordinator.isPaused ? "everything is paused, " : ""
            output.write(line: "coordinator: \(note)heard \(ago(coordinator.atMilliseconds, now))")
        } else {
            output.write(line: "coordinator: never heard. Start it: rawmill coordinator")
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

    /// - Parameter maxNames: names of files of one kind.
    static func lines(_ batch: BatchStatus, maxNames: Int = .max) -> [String] {
        let time = WallClock.text(milliseconds: batch.submittedMilliseconds).prefix(19)
        let phase = batch.phase == .running || batch.phase == .completed ? "" : " (\(batch.phase))"
        let lane = batch.lane == .interactive ? "  interactive" : ""
        var lines = ["batch \(batch.batch.description.prefix(8))  \(time)Z  \(batch.look)\(lane)\(phase)"]
        if let problem = batch.problem { lines.append("  \(TerminalText.escape(problem))") }
        lines.append("  \(CountsText.sentence(batch.counts))")
        let notes = [
            (batch.unchanged, "unchanged"), (batch.failedBefore, "failed before"), (batch.unreadable, "unreadable"),
            (batch.missing, "of them not there"),
            (batch.links, batch.links == 1 ? "link not followed" : "links not followed"), (batch.notRaw, "not RAW"),
            (batch.reused, batch.reused == 1 ? "photo was there already" : "photos were there already"),
        ]
        .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        if !notes.isEmpty { lines.append("  \(notes.joined(separator: ", "))") }
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
        let state = quiet > silentMilliseconds ? "silent" : worker.state
        return "\(name)  \(TerminalText.escape(state))  \(worker.currentJobs.count) of \(worker.slots) slots  \(ends)  "
            + "heard \(ago(worker.atMilliseconds, now))"
    }

    static func ago(_ then: Int64, _ now: Int64) -> String {
        Duration.milliseconds(WallClock.elapsed(since: then, now: now)).spoken + " ago"
    }

    // MARK: - For programs

    static func writeJSON(_ cluster: ClusterStatus, to output: TextOutput) {
        for batch in cluster.batches { writeJSON(batch, to: output) }
        for worker in cluster.workers { output.write(line: json(worker)) }
        guard let coordinator = cluster.coordinator else { return }
        output.write(event: "total") { json in
            json.field("paused", coordinator.isPaused)
            json.field("heard", WallClock.text(milliseconds: coordinator.atMilliseconds))
            CountsText.write(coordinator.counts, to: &json)
            json.field("refused", coordinator.refused)
            json.field("unseen", coordinator.unseen)
            json.object("failures") { json in
                for failure in coordinator.failures { json.field(failure.reason.rawValue, failure.jobs) }
            }
        }
    }

    /// A batch, and the files of it that a person should know of.
    static func writeJSON(_ batch: BatchStatus, to output: TextOutput) {
        FileGroupText.write(batch.files, of: batch.batch, to: output)
        output.write(line: json(batch))
    }

    private static func json(_ batch: BatchStatus) -> String {
        JSONWriter.line(event: "batch") { json in
            json.field("batch", batch.batch.description)
            json.field("submitted", WallClock.text(milliseconds: batch.submittedMilliseconds))
            json.field("look", batch.look)
            json.field("lane", "\(batch.lane)")
            json.field("state", "\(batch.phase)")
            CountsText.write(batch.counts, to: &json)
            json.field("unchanged", batch.unchanged)
            json.field("failedBefore", batch.failedBefore)
            json.field("unreadable", batch.unreadable)
            json.field("missing", batch.missing)
            json.field("links", batch.links)
            json.field("notRaw", batch.notRaw)
            json.field("reused", batch.reused)
            json.field("refused", batch.refused)
            json.field("unseen", batch.unseen)
            json.field("refusal", batch.refusal.map { LogValue.text($0.message) })
            json.field("refusalReason", batch.refusal.map { LogValue.text($0.code) })
            json.field("problem", batch.problem.map(LogValue.text))
        }
    }

    private static func json(_ worker: WorkerStatus) -> String {
        JSONWriter.line(event: "worker") { json in
            json.field("worker", worker.worker)
            json.field("state", worker.state)
            json.field("slots", worker.slots)
            json.array("jobs") { json in
                for job in worker.currentJobs { json.element(.text(job.description)) }
            }
            json.field("completed", worker.completed)
            json.field("failed", worker.failed)
            json.field("engine", worker.engine)
            json.field("heard", WallClock.text(milliseconds: worker.atMilliseconds))
        }
    }
}
