import Arguments
import CommandLineTool
import Jobs
import KafkaBroker
import Manifests
import Telemetry

/// `rawmill pause`, `resume`, `cancel` and `drain`: an operator's commands to a cluster.
enum ControlCommands {
    static let batch: Parameter<[String]> = .positionals(
        "BATCH", atLeastOne: false, help: "A batch, by the beginning of its id; everything if none is given.")
    static let oneBatch: Parameter<String> = .positional("BATCH", help: "A batch, by the beginning of its id.")
    static let worker: Parameter<String> = .positional("WORKER", help: "A worker's name, as `rawmill status` shows it.")
    static let wait: Parameter<Bool> = .flag("wait", help: "Waits until it is gone.")

    static let all: [Command] = [PauseCommand.command, resume, cancel, drain]

    private static let resume: Command = Command(
        "resume", summary: "Continues a paused batch, or everything, with workers paused after failures.",
        parameters: [batch] + BrokerOptions.all
    ) { values in try await send(values, "Resumed") { .resume($0) } }

    private static let cancel: Command = Command(
        "cancel", summary: "Ends a batch: jobs that have not begun are not done.",
        discussion: "What is in the library stays there.", parameters: [oneBatch] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let batch = try await ClusterStatus.read(sender.transport).batch(beginning: values[oneBatch])
        try await sender.send(.cancel(batch))
        await sender.transport.close()
        TextOutput.standardOutput.write(line: "Cancelled: batch \(batch).")
        return ExitStatus.done
    }

    private static let drain: Command = Command(
        "drain", summary: "Lets a worker finish what it is rendering, and stop.",
        parameters: [worker, wait] + BrokerOptions.all
    ) { values in
        let sender = try ControlSender(values)
        let name = values[worker]
        guard try await ClusterStatus.read(sender.transport).workers.contains(where: { $0.worker == name }) else {
            throw CommandFailure("there is no worker \(TerminalText.escape(name)): `rawmill status` lists them.")
        }
        try await sender.send(.drain(worker: name))
        while values[wait],
            try await ClusterStatus.read(sender.transport).workers.contains(where: { $0.worker == name })
        {
            try await Task.sleep(for: .milliseconds(500))
        }
        await sender.transport.close()
        TextOutput.standardOutput.write(
            line: "\(values[wait] ? "Gone" : "Asked to drain"): \(TerminalText.escape(name)).")
        return ExitStatus.done
    }

    private static func send(
        _ values: ArgumentValues, _ verb: String, _ control: (BatchID?) -> Control
    ) async throws -> Int32 {
        let sender = try ControlSender(values)
        let chosen = try await chosenBatch(values, sender)
        try await sender.send(control(chosen))
        await sender.transport.close()
        TextOutput.standardOutput.write(line: "\(verb): \(chosen.map { "batch \($0)" } ?? "everything").")
        return ExitStatus.done
    }

    /// The batch that `batch` names; nil for everything.
    ///
    /// - Throws: `CommandFailure` for a cancelled batch, which neither pauses nor goes on.
    static func chosenBatch(_ values: ArgumentValues, _ sender: ControlSender) async throws -> BatchID? {
        guard values[batch].count < 2 else { throw UsageError("One batch at a time.", command: values.command) }
        guard let text = values[batch].first else { return nil }
        let cluster = try await ClusterStatus.read(sender.transport)
        let batch = try cluster.batch(beginning: text)
        if cluster[batch]?.phase == .cancelled {
            throw CommandFailure("batch \(batch) was cancelled, and stays so. Submit its sources again.")
        }
        return batch
    }
}
