import Arguments
import CommandLineTool
import Jobs
import LibraryTables
import Runs
import Selection
import Telemetry
import Upkeep

enum LibraryRemoveCommand {
    static let names: Parameter<[String]> = .positionals(
        "NAME", completion: .files,
        help: "Asset id (its first four or more digits), or path of a photo in the library.")
    static let look: Parameter<String?> = .optional(
        "look", "NAME", completion: .words(LookSelection.builtInNames), help: "Remove only photos with this look.")
    static let withOriginals: Parameter<Bool> = .flag(
        "with-originals", help: "Also remove RAWs that exist only in the library, with their last photos.")

    static let command: Command = Command(
        "remove", summary: "Remove photos from a library: their files and rows.",
        discussion: """
            Without --yes, show what would be removed. An asset id selects all photos of the asset; a path selects \
            that photo with its older edits, in every folder. RAWs outside the library are never touched. Files in \
            photos/ that are yours, or that you changed, stay. A removed photo is rendered again if you submit its \
            RAW again.

            Exit status: 0 all was or would be removed, 3 something stays.
            """,
        examples: [
            .init(
                "rawmill library remove 3fa2 --library film", "show the photos of the asset whose id begins with 3fa2"),
            .init("rawmill library remove film/photos/raw/a.mono.jpg --library film --yes", "remove one photo"),
        ],
        parameters: [names, LibraryOption.parameter, look, withOriginals, LibraryOption.yes, LibraryOption.json]
    ) { values in
        let folder = values[LibraryOption.parameter]
        let names = try values[names].map { text in
            guard let name = AssetName(LibraryShowCommand.below(folder, text)) else {
                throw UsageError(
                    "\"\(TerminalText.escape(text))\" is neither an id nor a path below the library.",
                    command: values.command)
            }
            return name
        }
        let isDone = values[LibraryOption.yes]
        let remover = try PhotoRemover(
            library: folder, roots: try await SourceRoots.existing(library: folder), mode: isDone ? .change : .read)
        let plan: RemovalPlan
        do {
            plan = try remover.plan(names, look: values[look], withOriginals: values[withOriginals])
        } catch let error as PhotoNameError {
            throw CommandFailure(TerminalText.escape("\(error)"))
        }
        let changed: [RelativePath]
        do { changed = isDone ? try remover.remove(plan) : [] } catch let error as LibraryError {
            let failure = CommandFailure(error)
            throw CommandFailure(
                "\(failure) `rawmill library prune --yes` completes the removal.", status: failure.status)
        }
        RemovalReport(isDone: isDone, asJSON: values[LibraryOption.json], output: TextOutput.standardOutput)
            .write(plan, changed: changed)
        return plan.kept.isEmpty && changed.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }
}
