import Arguments
import Clock
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

/// `rawmill pause`: returns when the pause has taken effect, or says where it has not.
enum PauseCommand {
    private static let wait: Parameter<Bool> = .flag(
        "wait", help: "Waits until what is being rendered is finished, too.")
    private static let patience: Parameter<Double> = .option(
        "patience", "SECONDS", default: 30, must: .within(0...86_400),
        help: "Time for the coordinator and the workers to obey.")

    static let command: Command = Command(
        "pause", summary: "Keeps the jobs of a batch, or all jobs, from being started.",
        discussion: """
            It returns when every worker has said that it starts none of them any more; what is being rendered is finished. \
            If some have not said so in time, it names them and ends with status 3: the pause stays, and they obey it as \
            soon as they read of it.
            """,
        parameters: [ControlCommands.batch, wait, patience] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let batch = try await ControlCommands.chosenBatch(values, sender)
        guard let position = try await sender.send(.pause(batch)) else { return ExitStatus.fault }
        var effect = CommandEffect(of: position)
        let deadline = ContinuousClock.now + .seconds(values[patience])
        repeat {
            try await Task.sleep(for: .milliseconds(100))
            effect.update(try await ClusterStatus.read(sender.transport))
        } while isAwaited(effect, until: deadline, values)
        await sender.transport.close()
        let what = batch.map { "batch \($0)" } ?? "everything"
        let isComplete = effect.isCarriedOut && effect.missing.isEmpty
        TextOutput.standardOutput.write(line: sentence(effect, what, patience: values[patience]))
        for worker in effect.missing + effect.silent { TextOutput.standardOutput.write(line: line(worker)) }
        return isComplete ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func isAwaited(
        _ effect: CommandEffect, until deadline: ContinuousClock.Instant, _ values: ArgumentValues
    ) -> Bool {
        guard effect.isCarriedOut, effect.missing.isEmpty else { return ContinuousClock.now < deadline }
        return values[wait] && effect.unfinished > 0
    }

    private static func sentence(_ effect: CommandEffect, _ what: String, patience: Double) -> String {
        let time = Duration.seconds(patience).spoken
        guard effect.isCarriedOut else {
            let heard = effect.coordinator.map { "last heard \(ago($0.atMilliseconds))" }
            return "Not paused yet: no coordinator has taken the order to pause \(what) within \(time) "
                + "(\(heard ?? "none was ever heard")). It will when it runs: rawmill coordinator"
        }
        guard effect.missing.isEmpty else {
            let missing = count(effect.missing.count, "worker")
            return "Paused: \(what), but \(missing) did not obey within \(time):"
        }
        let obeying = count(effect.obeying.count, "worker")
        let rest = effect.unfinished == 0 ? "" : " What is being rendered (\(effect.unfinished)) is finished."
        return effect.obeying.isEmpty
            ? "Paused: \(what). No worker is running." : "Paused: \(what). \(obeying) will start none of it.\(rest)"
    }

    private static func line(_ worker: WorkerStatus) -> String {
        "  \(TerminalText.escape(worker.worker))  heard \(ago(worker.atMilliseconds)); it may start jobs until it reads of the pause"
    }

    private static func ago(_ milliseconds: Int64) -> String { ClusterReport.ago(milliseconds, WallClock.milliseconds) }

    private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
