import Arguments
import CommandLineTool
import Coordinator
import Manifests
import Runs
import Telemetry
import Upkeep

enum LibraryPruneCommand {
    static let superseded: Parameter<Bool> = .flag(
        "superseded", help: "Also delete renditions that a newer edit of the same look replaced.")

    static let command: Command = Command(
        "prune", summary: "Find files that nothing refers to, and delete them.",
        discussion: """
            Prune finds unfinished files, photos and previews without a row, leftovers of interrupted removals, and \
            paths that RAWs no longer have. Without --yes, show what would be deleted. RAWs and your own files stay. \
            While jobs are open, photos without a row stay too: a worker may be about to report them.
            """,
        parameters: [LibraryOption.parameter, superseded, LibraryOption.yes, LibraryOption.json]
    ) { values in
        let folder = values[LibraryOption.parameter]
        var options = LibraryPruner.Options()
        options.superseded = values[superseded]
        options.isDryRun = !values[LibraryOption.yes]
        let open = try await Ledger.existing(library: folder)?.perform { try $0.reports.totals().open } ?? 0
        options.unknown = open == 0
        let pruner = try LibraryPruner(
            library: folder, roots: try await SourceRoots.existing(library: folder), options: options)
        let report = try pruner.run()
        RemovalReport(
            isDone: !options.isDryRun, asJSON: values[LibraryOption.json], output: TextOutput.standardOutput
        ).write(report, openJobs: open)
        return report.changed.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }
}
