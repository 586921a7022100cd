import Arguments
import Broker
import CommandLineTool
import Runs
import Coordinator
import KafkaBroker
import Telemetry

/// `rawmill audit`: what was promised, and what is there.
enum AuditCommand {
    static let command: Command = Command(
        "audit", summary: "Compares what was accepted with what is catalogued and on disk, and names every difference.",
        discussion: """
            Looks for a photo of every job that succeeded, made from the job's own RAW; for a job of every photo; for a file \
            of every row, and a row of every file. It reads no file except RAWs that stand at two paths; `rawmill library \
            verify` hashes all. With --broker, it also says what is waiting there.

            Exit status: 0 nothing differs, 3 something does.
            """,
        examples: [.init("rawmill audit --library /mnt/library --broker kafka://kafka-1:9092", "of a cluster")],
        parameters: [LibraryOption.parameter, CoordinatorCommand.state] + BrokerOptions.optional
            + [LibraryOption.json]
    ) { values in
        let folder = values[LibraryOption.parameter]
        let state = values[CoordinatorCommand.state]
        guard let ledger = try state.map({ try Ledger.existing(folder: $0) }) ?? Ledger.existing(library: folder) else {
            throw RunError.noLibrary(folder)
        }
        let transport = try values[BrokerOptions.optionalBroker].map {
            try BrokerOptions.commandTransport(values, to: $0)
        }
        let asJSON = values[LibraryOption.json]
        let output = TextOutput.standardOutput
        let report = try await LibraryAudit(library: folder, ledger: ledger, transport: transport).run { difference in
            output.write(line: asJSON ? AuditReport.json(difference) : AuditReport.text(difference))
        }
        await transport?.close()
        for line in asJSON ? [AuditReport.json(report)] : AuditReport.lines(report) { output.write(line: line) }
        return report.differences == 0 ? ExitStatus.done : ExitStatus.someFailed
    }
}
