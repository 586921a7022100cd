import Arguments
import ClusterControl
import CommandLineTool
import Coordinator
import Jobs
import KafkaBroker
import Runs
import Telemetry

enum StatusCommand {
    static let command: Command = Command(
        "status", summary: "Show batches, the state of their jobs, and failed files.",
        discussion: """
            With --library, show a library on this machine: each failed, refused and degraded file, and the files \
            that the last plan left out. With --broker, show a cluster: the first files of each kind. With BATCH, \
            show everything known about one batch.

            Only the ten most recent finished batches are shown; --json shows all. A worker that has been silent for \
            ten minutes is shown as gone; the coordinator removes it after a day.
            """,
        parameters: [batches, library] + BrokerOptions.optional + [everything, LibraryOption.json]
    ) { values in
        if let broker = values[BrokerOptions.optionalBroker], !prefersLibrary(values) {
            return try await ofCluster(broker, values)
        }
        guard let folder = values[library] ?? CurrentLibrary.folder else {
            throw UsageError("Give --library DIR, or --broker URL for a cluster.", command: values.command)
        }
        guard let ledger = try Ledger.existing(library: folder) else { throw RunError.noLibrary(folder) }
        return try await ofLibrary(ledger, values)
    }

    private static func ofLibrary(_ ledger: Ledger, _ values: ArgumentValues) async throws -> Int32 {
        let output = TextOutput.standardOutput
        let roots = try await ledger.perform { try $0.roots.all() }
        let beginning = try batch(values)
        let found = try await ledger.perform { store in try beginning.map { try store.reports.batches(beginning: $0) } }
        if let found, found.count != 1 {
            let cause = found.isEmpty ? "no batch begins" : "\(found.count) batches begin"
            throw CommandFailure("\(cause) with \"\(beginning ?? "")\": `rawmill status --all` lists them.")
        }
        let chosen = found?.first
        if values[LibraryOption.json] {
            try await ledger.perform { try StatusReport.writeJSON($0, of: chosen, roots: roots, to: output) }
            return ExitStatus.done
        }
        let everything = values[everything]
        try await ledger.perform { try StatusReport.write($0, of: chosen, everything: everything, to: output) }
        let failed = try await FailureReport.write(ledger, batches: chosen.map { [$0] }, to: output)
        let named = try await ledger.perform {
            try StatusReport.writeNames($0, of: chosen, everything: everything, roots: roots, to: output)
        }
        RootLegend.write(failed.union(named), roots, to: output)
        return ExitStatus.done
    }

    /// Whether the command line names a library, while the broker comes from the environment or the settings.
    static func prefersLibrary(_ values: ArgumentValues) -> Bool {
        values.origin(library) == .commandLine && values.origin(BrokerOptions.optionalBroker) != .commandLine
    }

    private static let batches: Parameter<[String]> = .positionals(
        "BATCH", atLeastOne: false,
        help: "Show one batch, given the start of its id.")

    private static func batch(_ values: ArgumentValues) throws -> String? {
        guard values[batches].count < 2 else { throw UsageError("One batch at a time.", command: values.command) }
        return values[batches].first
    }

    static let library: Parameter<String?> = .optional(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "The library's folder.")

    private static let everything: Parameter<Bool> = .flag("all", help: "Show all batches.")

    private static func ofCluster(_ broker: BrokerAddress, _ values: ArgumentValues) async throws -> Int32 {
        let transport = try BrokerOptions.commandTransport(values, to: broker)
        let cluster = try await ClusterStatus.read(transport)
        await transport.close()
        if let beginning = try batch(values) {
            guard let status = cluster[try cluster.batch(beginning: beginning)] else { return ExitStatus.fault }
            if values[LibraryOption.json] {
                ClusterReport.writeJSON(status, to: .standardOutput)
            } else {
                for line in ClusterReport.lines(status) { TextOutput.standardOutput.write(line: line) }
            }
        } else if values[LibraryOption.json] {
            ClusterReport.writeJSON(cluster, to: .standardOutput)
        } else {
            ClusterReport.write(cluster, everything: values[everything], to: .standardOutput)
        }
        return ExitStatus.done
    }

}
