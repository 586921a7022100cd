import Arguments
internal import Broker
import Clock
import ClusterControl
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

/// The common part of `rawmill pause`, `resume` and `cancel`: each returns when the coordinator has executed it and
/// every worker follows, or names the workers that do not.
enum OperatorCommand {
    static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 30, must: .within(0...86_400),
        help: "Time to wait for the coordinator and the workers.")

    /// Sends the command and follows its effect.
    ///
    /// - Parameters:
    ///   - words: the texts about it.
    ///   - waitsForRenders: whether to wait for renders in progress too.
    /// - Returns: the exit status.
    static func run(
        _ control: Control, _ words: OperatorWords, waitsForRenders: Bool = false, with sender: ControlSender,
        _ values: ArgumentValues
    ) async throws -> Int32 {
        guard let position = try await sender.send(control) else { return ExitStatus.fault }
        var effect = CommandEffect(of: position)
        let deadline = ContinuousClock.now + .seconds(values[patience])
        _ = try await ClusterStatus.following(sender.transport) { status in
            effect.update(status)
            guard effect.isCarriedOut, effect.missing.isEmpty else { return ContinuousClock.now >= deadline }
            return !waitsForRenders || effect.unfinished == 0
        }
        await sender.transport.close()
        for line in words.lines(effect, patience: .seconds(values[patience])) {
            TextOutput.standardOutput.write(line: line)
        }
        return effect.isCarriedOut && effect.missing.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }
}

struct OperatorWords {
    enum Verb { case pause, resume, cancel }

    let verb: Verb
    /// Nil for all batches.
    let batch: BatchID?

    func lines(_ effect: CommandEffect, patience: Duration) -> [String] {
        [sentence(effect, patience)] + notes(effect) + (effect.missing + effect.silent).map(line)
    }

    private var subject: String { batch.map { "batch \($0)" } ?? "everything" }

    private var infinitive: String {
        switch verb {
        case .pause: "pause"
        case .resume: "resume"
        case .cancel: "cancel"
        }
    }

    private var participle: String {
        switch verb {
        case .pause: "Paused"
        case .resume: "Resumed"
        case .cancel: "Cancelled"
        }
    }

    private func sentence(_ effect: CommandEffect, _ patience: Duration) -> String {
        let time = patience.spoken
        guard effect.isCarriedOut else {
            let heard = effect.coordinator.map { "last seen \(Self.ago($0.atMilliseconds))" }
            return
                "Not \(participle.lowercased()) yet: no coordinator accepted the command to \(infinitive) \(subject) "
                + "within \(time) (\(heard ?? "none was ever seen")). One will once it runs: rawmill coordinator"
        }
        guard effect.missing.isEmpty else {
            return
                "\(participle): \(subject), but \(SummaryText.counted(effect.missing.count, "worker")) did not respond within \(time):"
        }
        guard !effect.obeying.isEmpty else { return "\(participle): \(subject). No worker is running." }
        let workers = SummaryText.counted(effect.obeying.count, "worker")
        guard verb != .resume else { return "\(participle): \(subject). \(workers) will start jobs again." }
        let rest = effect.unfinished == 0 ? "" : " Photos in progress (\(effect.unfinished)) are finished."
        return "\(participle): \(subject). \(workers) will start no more of these jobs.\(rest)"
    }

    /// Other reasons why the command does not have its expected effect.
    private func notes(_ effect: CommandEffect) -> [String] {
        guard effect.isCarriedOut, let batch else { return [] }
        if verb == .resume, effect.coordinator?.isPaused ?? false {
            return ["All batches are still paused: run `rawmill resume` without a batch."]
        }
        if verb == .cancel, let counts = effect.status(of: batch)?.counts {
            return ["  \(CountsText.sentence(counts))"]
        }
        return []
    }

    private func line(_ worker: WorkerStatus) -> String {
        let until =
            switch verb {
            case .pause: "it may start jobs until it reads the pause"
            case .resume: "it starts no jobs until it reads this"
            case .cancel: "it may start jobs until it reads the cancellation"
            }
        return "  \(TerminalText.escape(worker.worker))  heard \(Self.ago(worker.atMilliseconds)); \(until)"
    }

    private static func ago(_ milliseconds: Int64) -> String { ClusterReport.ago(milliseconds, WallClock.milliseconds) }
}
