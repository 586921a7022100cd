import Arguments
import CommandLineTool
import Coordinator
import Library
import Manifests
import Runs
import Telemetry

/// `rawmill library prune`: frees what nothing in a library needs.
enum LibraryPruneCommand {
    static let superseded: Parameter<Bool> = .flag(
        "superseded", help: "Also edits that photos/ does not show, because a newer one of their look is shown.")

    static let command: Command = Command(
        "prune", summary: "Frees what nothing in a library needs.",
        discussion: """
            Unfinished files, photos and previews that no row has, files that an interrupted removal left, and paths that RAWs \
            have left for another one. Without --yes it says what would be freed, and removes nothing. RAWs and files of \
            your own stay. While jobs are open, photos without a row stay too: their workers may be about to report them.
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
