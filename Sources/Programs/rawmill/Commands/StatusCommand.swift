import Arguments
import CommandLineTool
import Coordinator
import Jobs
import KafkaBroker
import Telemetry

/// `rawmill status`: the batches and their ledgers, and what failed.
enum StatusCommand {
    static let command: Command = Command(
        "status", summary: "Shows the batches, the state of their jobs, and each failed file.",
        discussion: """
            --library shows a library on this machine, --broker a cluster. A library's status names each failed, refused and \
            degraded file, and what was left out; also of a cluster if its coordinator keeps its ledger there.

            Only the last ten finished batches are shown; --json shows all. A worker that has been silent for ten minutes \
            is shown as gone; after a day the coordinator removes it.
            """,
        parameters: [library] + BrokerOptions.optional + [everything, LibraryOption.json]
    ) { values in
        if let broker = values[BrokerOptions.optionalBroker], !prefersLibrary(values) {
            return try await ofCluster(broker, values)
        }
        guard let folder = values[library] else {
            throw UsageError("Give --library DIR, or --broker URL for a cluster.", command: values.command)
        }
        guard let ledger = try Ledger.existing(library: folder) else { throw CommandFailure(noLibrary(folder)) }
        let output = TextOutput.standardOutput
        let roots = try await ledger.perform { try $0.roots.all() }
        if values[LibraryOption.json] {
            try await ledger.perform { try StatusReport.writeJSON($0, roots: roots, to: output) }
            return ExitStatus.done
        }
        let everything = values[everything]
        try await ledger.perform { try StatusReport.write($0, everything: everything, to: output) }
        try await FailureReport.write(ledger, roots: roots, to: output, on: Terminal(descriptor: 1))
        try await ledger.perform { try StatusReport.writeNames($0, roots: roots, to: output) }
        return ExitStatus.done
    }

    /// Whether the command line names a library, while the broker comes from the environment or the settings.
    private static func prefersLibrary(_ values: ArgumentValues) -> Bool {
        values.origin(library) == .commandLine && values.origin(BrokerOptions.optionalBroker) != .commandLine
    }

    static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "The library's folder.")

    private static let everything: Parameter<Bool> = .flag("all", help: "Shows every batch there ever was.")

    private static func ofCluster(_ broker: BrokerAddress, _ values: ArgumentValues) async throws -> Int32 {
        let transport = try BrokerOptions.commandTransport(values, to: broker)
        let cluster = try await ClusterStatus.read(transport)
        await transport.close()
        if values[LibraryOption.json] {
            ClusterReport.writeJSON(cluster, to: .standardOutput)
        } else {
            ClusterReport.write(cluster, everything: values[everything], to: .standardOutput)
        }
        return ExitStatus.done
    }

    static func noLibrary(_ folder: String) -> String {
        "\(folder) is not a library yet. Give --library the folder of one; `rawmill convert` makes one."
    }
}
