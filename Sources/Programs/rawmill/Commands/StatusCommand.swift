import Arguments
import CommandLineTool
import Coordinator
import Jobs
import KafkaBroker
import Telemetry

/// `rawmill status`: the batches and their ledgers, and what failed.
enum StatusCommand {
    static let command: Command = Command(
        "status", summary: "Shows what was accepted, what became of it, and each failed file.",
        discussion: """
            Of a library on this machine with --library, of a cluster with --broker. A library's status names each \
            failed file, even of a cluster if its coordinator keeps its ledger there.

            Of the finished batches the last ten are shown; --json always shows all. A worker that has been silent for \
            ten minutes is called gone, and after a day the coordinator strikes it off.
            """,
        parameters: [library, BrokerOptions.optionalBroker, BrokerOptions.properties, everything, LibraryOption.json]
    ) { values in
        if let broker = values[BrokerOptions.optionalBroker], !asksForLibrary(values) {
            return try await ofCluster(broker, values)
        }
        guard let folder = values[library] else {
            throw UsageError("Give --library DIR, or --broker URL for a cluster.", command: values.command)
        }
        guard let ledger = try Ledger.existing(library: folder) else { throw CommandFailure(nothing(folder)) }
        let output = TextOutput.standardOutput
        let roots = try await ledger.perform { try $0.roots() }
        if values[LibraryOption.json] {
            try await ledger.perform { try StatusReport.writeJSON($0, roots: roots, to: output) }
            return ExitStatus.done
        }
        let everything = values[everything]
        try await ledger.perform { try StatusReport.write($0, everything: everything, to: output) }
        try await FailureReport.write(ledger, roots: roots, to: output, on: Terminal(descriptor: 1))
        return ExitStatus.done
    }

    /// A library on the command line overrules a broker that is usual here.
    private static func asksForLibrary(_ values: Values) -> Bool {
        values.origin(library) == .commandLine && values.origin(BrokerOptions.optionalBroker) != .commandLine
    }

    static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "The library's folder.")

    private static let everything: Parameter<Bool> = .flag("all", help: "Shows every batch there ever was.")

    private static func ofCluster(_ broker: BrokerAddress, _ values: Values) async throws -> Int32 {
        let transport = try BrokerOptions.commandTransport(values, to: broker)
        let view = try await ClusterStatus.read(transport)
        await transport.close()
        if values[LibraryOption.json] {
            ClusterReport.writeJSON(view, to: .standardOutput)
        } else {
            ClusterReport.write(view, everything: values[everything], to: .standardOutput)
        }
        return ExitStatus.done
    }

    static func nothing(_ folder: String) -> String {
        "nothing was converted into \(folder) yet: give --library the folder of a library; `rawmill convert` makes one."
    }
}
