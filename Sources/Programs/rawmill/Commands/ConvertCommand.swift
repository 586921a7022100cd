import Arguments
import Clock
import CommandLineTool
import Coordinator
import Jobs
import Telemetry

/// `rawmill convert`: the whole way, from a folder of RAWs to a library.
enum ConvertCommand {
    static let command: Command = Command(
        "convert", summary: "Converts RAW files into the photos of a library.",
        discussion: """
            Running it again converts only what is new or changed; after an interruption it continues. Ctrl-C once \
            finishes what is being rendered and stops; twice stops at once. Neither loses anything.

            Exit status: 0 all done, 3 some files failed (the report names them), 64 wrong usage, 70 Rawmill or the \
            machine could not go on, 130 interrupted.
            """,
        examples: [
            .init("rawmill convert ~/Pictures/raw --library ~/Pictures/film", "a folder with all its subfolders"),
            .init("rawmill convert raw --library film --look mono --long-edge 2400", "black and white, for the screen"),
            .init("rawmill convert raw --library film --look portra.cube", "with a LUT of your own"),
        ],
        parameters: ConvertOptions.all
    ) { values in
        let sources = values[ConvertOptions.sources].map(\.bytes)
        if values[ConvertOptions.dryRun] { return try await dryRun(values, sources) }
        let run = try LocalRun(values)
        let selection = try LookSelection(values[ConvertOptions.look], command: values.command)
        return try await run.run(sources: sources, storing: selection.store) { ledger in
            let look = try await ledger.perform { try selection.reference(in: $0, recording: true) }
            let recipe = try ConvertOptions.recipe(values, look: look)
            let submission = Submission(
                recipe: recipe, originals: values[ConvertOptions.originals].value,
                submittedMilliseconds: WallClock.milliseconds)
            return RunRequest(sources: sources, submission: submission)
        }
    }

    private static func dryRun(_ values: ArgumentValues, _ sources: [[UInt8]]) async throws -> Int32 {
        let selection = try LookSelection(values[ConvertOptions.look], command: values.command)
        let report = DryRunReport(output: .standardOutput, asJSON: values[ReportOptions.json])
        let counts = try await DryRun.plan(
            sources: sources, library: values[LibraryOption.parameter],
            recipe: { try ConvertOptions.recipe(values, look: try selection.reference(in: $0, recording: false)) },
            originals: values[ConvertOptions.originals].value
        ) { event, roots in try report.write(event, roots) }
        report.end(counts)
        return counts.unreadable > 0 ? ExitStatus.someFailed : ExitStatus.done
    }
}
