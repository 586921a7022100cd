import Arguments
import Clock
import CommandLineTool
import Coordinator
import Export
import Jobs
import Runs
import Storage
import Synchronization
import Telemetry

enum ConvertCommand {
    static let command: Command = Command(
        "convert", summary: "Convert RAW files into photos, in a folder or in a library.",
        discussion: """
            Run the same command again to convert only what is new or changed, or to continue after an interruption. \
            Press Ctrl-C once to finish the photos in progress and stop; press it twice to stop at once. Neither \
            loses a photo.

            Exit status: 0 done, 3 some files failed (the report names them), 64 usage error, 70 Rawmill or the \
            machine cannot continue, 130 interrupted.
            """,
        examples: [
            .init("rawmill convert ~/Pictures/raw --out ~/Pictures/jpeg", "JPEGs in a folder"),
            .init("rawmill convert ~/Pictures/raw --library ~/Pictures/film", "a library: photos, RAWs and edits"),
            .init("rawmill convert raw --library film --look mono --long-edge 2400", "black and white, for the screen"),
            .init("rawmill convert raw --library film --look portra.cube", "with your own LUT"),
            .init("rawmill convert raw --library film --serve", "with a page to watch it, at http://127.0.0.1:7420"),
        ],
        parameters: ConvertOptions.all, synonyms: ["import", "develop", "export", "render", "process"]
    ) { values in
        let sources = try SourceOptions.paths(values)
        if values[ConvertOptions.dryRun] { return try await dryRun(values, sources) }
        return try await convert(sources, below: sources, values)
    }

    /// Converts files and folders, once.
    ///
    /// - Parameters:
    ///   - folders: the base folders of the sources: photos keep their paths below these.
    ///   - observer: also receives the run's report.
    /// - Returns: the exit status.
    static func convert(
        _ sources: [[UInt8]], below folders: [[UInt8]], _ values: ArgumentValues, observer: (any RunReporter)? = nil
    ) async throws -> Int32 {
        let destination = try RunDestination(values)
        if case .library(let folder) = destination { try DatabaseOption.apply(values, to: folder) }
        let selection = try await RecipeSelection(PictureRequest(values), library: destination.state)
        try RunPage.check(values, destination)
        // With a page, users may request more photos during the run.
        let isLone =
            values[SettingOptions.look].count <= 1 && !values[PageOptions.isWanted] && SinglePhoto.isAll(of: sources)
        let run = try LocalRun(
            values, to: destination, isServed: values[PageOptions.isWanted], expectedJobs: isLone ? 1 : nil)
        let labels = Mutex<[BatchID: String]>([:])
        return try await run.run(
            sources: folders, storing: selection.store,
            naming: { submission, folders in
                ExportOrder(
                    template: values[ExportOptions.template].template,
                    conflict: values[ExportOptions.conflict].value,
                    label: labels.withLock { $0[submission.batch] ?? "" }, folders: Self.folders(folders))
            },
            observer: observer,
            requests: { ledger in
                let recipes = try await ledger.perform { try selection.recipes(in: $0, recording: true).map(\.recipe) }
                if values[ConvertOptions.retryFailed] {
                    _ = try await ledger.perform { try $0.control.retry(RetryFilter()) }
                }
                let submissions = recipes.map {
                    Submission(
                        recipe: $0, originals: values[ConvertOptions.originals].value,
                        submittedMilliseconds: WallClock.milliseconds)
                }
                let found = ExportLabels.of(recipes, in: values[ExportOptions.template].template)
                labels.withLock { $0 = Dictionary(zip(submissions.map(\.batch), found)) { $1 } }
                return [RunRequest(sources: sources, submissions: submissions, filter: SourceOptions.filter(values))]
            })
    }

    /// The folders among the sources. If there are several, their photos are in folders of their names.
    private static func folders(_ sources: [SourceFolder]) -> [ExportOrder.Folder] {
        let trees = sources.filter { $0.extent == .tree }
        return trees.map { tree in
            let name = tree.path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? []
            return ExportOrder.Folder(root: tree.root, path: tree.relative, prefix: trees.count > 1 ? name : [])
        }
    }

    private static func dryRun(_ values: ArgumentValues, _ sources: [[UInt8]]) async throws -> Int32 {
        let library = try dryRunState(values)
        let selection = try await RecipeSelection(PictureRequest(values), library: library, isDryRun: true)
        let report = DryRunReport(output: .standardOutput, asJSON: values[ReportOptions.json])
        let counts = try await DryRun.plan(
            sources: sources, library: library, filter: SourceOptions.filter(values),
            recipes: { try selection.recipes(in: $0, recording: false).map(\.recipe) },
            originals: values[ConvertOptions.originals].value
        ) { event, roots in try report.write(event, roots) }
        report.end(counts)
        return counts.unreadable > 0 ? ExitStatus.someFailed : ExitStatus.done
    }

    /// The folder whose ledger a dry run reads. Creates nothing.
    private static func dryRunState(_ values: ArgumentValues) throws -> String {
        guard let out = values[ExportOptions.out] else { return try RunDestination(values).state }
        return try ExportOptions.state(of: RealPath.of(out.bytes) ?? out.bytes, values)
    }
}
