import Arguments
import Broker
import CommandLineTool
import Runs
import Coordinator
import KafkaBroker
import Telemetry

/// `rawmill audit`: compares accepted jobs with the library.
enum AuditCommand {
    static let command: Command = Command(
        "audit", summary: "Check that every accepted job is catalogued and on disk.",
        discussion: """
            Audit checks that every successful job has a photo made from its RAW, that every photo has a job, that \
            every row has a file, and that every file has a row. It reads no files, except RAWs that exist at two \
            paths; `rawmill library verify` hashes every file. With --broker, it also reports the records waiting in \
            Kafka.

            Exit status: 0 no differences, 3 differences.
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
            guard !asJSON else { return output.write(line: AuditReport.json(difference)) }
            output.write(line: AuditReport.text(difference), in: .red)
        }
        await transport?.close()
        for line in asJSON ? [AuditReport.json(report)] : AuditReport.lines(report) { output.write(line: line) }
        return report.differences == 0 ? ExitStatus.done : ExitStatus.someFailed
    }
}
