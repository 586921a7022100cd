import Arguments
internal import Broker
import ClusterControl
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

/// `rawmill pause`, `resume`, `cancel` and `drain`: an operator's commands to a cluster.
enum ControlCommands {
    private static let batch: Parameter<[String]> = .positionals(
        "BATCH", atLeastOne: false, help: "Batch, given the start of its id. (default: all batches)")
    private static let oneBatch: Parameter<String> = .positional("BATCH", help: "Batch, given the start of its id.")
    private static let worker: Parameter<String> = .positional(
        "WORKER", help: "Name of the worker, as `rawmill status` shows it.")
    private static let wait: Parameter<Bool> = .flag("wait", help: "Wait until the worker has stopped.")
    private static let waitForRenders: Parameter<Bool> = .flag(
        "wait", help: "Wait until the photos in progress are finished, too.")

    static let all: [Command] = [pause, resume, cancel, drain]

    private static let effect = """
        If the coordinator or some workers do not respond in time, it names them and exits with status 3. The command \
        stays in force: they follow it once they read it.
        """

    private static let pause: Command = Command(
        "pause", summary: "Pause a batch, or all batches.",
        discussion: """
            Returns when every worker has confirmed that it starts no more of these jobs. Photos in progress are \
            finished. \(effect)
            """,
        parameters: [batch, waitForRenders, OperatorCommand.patience] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let batch = try await chosenBatch(values, sender)
        return try await OperatorCommand.run(
            .pause(batch), OperatorWords(verb: .pause, batch: batch), waitsForRenders: values[waitForRenders],
            with: sender, values)
    }

    private static let resume: Command = Command(
        "resume", summary: "Resume a batch, or all batches and paused workers.",
        discussion: """
            Returns when every worker starts jobs again. \(effect)
            """,
        parameters: [batch, OperatorCommand.patience] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let batch = try await chosenBatch(values, sender)
        return try await OperatorCommand.run(
            .resume(batch), OperatorWords(verb: .resume, batch: batch), with: sender, values)
    }

    private static let cancel: Command = Command(
        "cancel", summary: "Cancel a batch: drop the jobs that have not started.",
        discussion: """
            Returns when every worker has confirmed that it starts no more of these jobs. Photos in the library \
            stay. \(effect)
            """,
        parameters: [oneBatch, waitForRenders, OperatorCommand.patience] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let (batch, cluster) = try await batch(beginning: values[oneBatch], sender)
        if let status = cluster[batch], status.isOver {
            await sender.transport.close()
            let end = status.phase == .cancelled ? "was cancelled before" : "has ended, so there is nothing to cancel"
            TextOutput.standardOutput.write(line: "Batch \(batch) \(end).")
            return ExitStatus.done
        }
        return try await OperatorCommand.run(
            .cancel(batch), OperatorWords(verb: .cancel, batch: batch), waitsForRenders: values[waitForRenders],
            with: sender, values)
    }

    private static let drain: Command = Command(
        "drain", summary: "Let a worker finish its photos in progress, and stop.",
        parameters: [worker, wait] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let name = values[worker]
        guard try await ClusterStatus.read(sender.transport).workers.contains(where: { $0.worker == name }) else {
            throw CommandFailure("there is no worker \(TerminalText.escape(name)): `rawmill status` lists them.")
        }
        try await sender.send(.drain(worker: name))
        if values[wait] {
            _ = try await ClusterStatus.following(sender.transport) { status in
                !status.workers.contains { $0.worker == name }
            }
        }
        await sender.transport.close()
        TextOutput.standardOutput.write(
            line: "\(values[wait] ? "Stopped" : "Asked to drain"): \(TerminalText.escape(name)).")
        return ExitStatus.done
    }

    /// The batch from `batch`; nil for all. Throws `CommandFailure` for a cancelled batch, which can neither pause nor
    /// resume.
    private static func chosenBatch(_ values: ArgumentValues, _ sender: ControlSender) async throws -> BatchID? {
        guard values[batch].count < 2 else { throw UsageError("One batch at a time.", command: values.command) }
        guard let text = values[batch].first else { return nil }
        let (batch, cluster) = try await batch(beginning: text, sender)
        if cluster[batch]?.phase == .cancelled {
            throw CommandFailure("batch \(batch) was cancelled and cannot be resumed. Submit its sources again.")
        }
        return batch
    }

    /// The batch whose id begins with the text, and the cluster's state. A whole id is waited for: a user who has just
    /// submitted a batch knows its id before the coordinator reports it.
    private static func batch(
        beginning text: String, _ sender: ControlSender
    ) async throws -> (BatchID, ClusterStatus) {
        let isWhole = BatchID(hex: text.lowercased()) != nil
        let deadline = ContinuousClock.now + .seconds(10)
        let cluster = try await ClusterStatus.following(sender.transport) { status in
            let isKnown = (try? status.batch(beginning: text)) != nil
            return isKnown || !isWhole || ContinuousClock.now >= deadline
        }
        return (try cluster.batch(beginning: text), cluster)
    }
}
