import Arguments
import CommandLineTool
import Jobs
import Library
import Runs
import Telemetry

/// `rawmill library remove`: takes photos out of a library.
enum LibraryRemoveCommand {
    static let names: Parameter<[String]> = .positionals(
        "NAME", completion: .files,
        help: "The first digits of an asset's id (four or more), or the path of a photo below the library.")
    static let look: Parameter<String?> = .optional("look", "NAME", help: "Only photos of this look.")
    static let withOriginals: Parameter<Bool> = .flag(
        "with-originals", help: "Removes RAWs with their last photos that are nowhere but in the library.")

    static let command: Command = Command(
        "remove", summary: "Takes photos out of a library: their names in photos/, their files and their rows.",
        discussion: """
            Without --yes it says what would go, and removes nothing. The id of an asset names all its photos; the path of a \
            photo that photo with the edits that it hides, in every folder. RAWs outside the library are never touched. Files \
            in photos/ that are yours, or that you changed, stay. Submitted again, a photo is rendered again.

            Exit status: 0 all of it is or would be removed, 3 something stays.
            """,
        examples: [
            .init(
                "rawmill library remove 3fa2 --library film", "what would go with the asset whose id begins with 3fa2"),
            .init("rawmill library remove film/photos/raw/a.mono.jpg --library film --yes", "removes that photo"),
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
                "\(failure) `rawmill library prune --yes` finishes what was begun.", status: failure.status)
        }
        RemovalReport(isDone: isDone, asJSON: values[LibraryOption.json], output: TextOutput.standardOutput)
            .write(plan, changed: changed)
        return plan.kept.isEmpty && changed.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }
}
