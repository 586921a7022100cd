import Arguments
import CommandLineTool
import LibraryTables
import Revisions
import Telemetry

/// `rawmill undo` and `rawmill redo`: photos show the previous or the next revision.
enum UndoCommand {
    private static let discussion = """
        Nothing is rendered and nothing is removed: the photo's name in photos/ leads to a revision in the library. \
        `rawmill library show` lists the revisions of a photo.

        Exit status: 0 all photos were changed, 3 some have no such revision.
        """

    static let undo: Command = command(
        "undo", .undo, summary: "Undo the last edit of photos.",
        example: "show the photo before its last edit")
    static let redo: Command = command(
        "redo", .redo, summary: "Redo the edit that was undone.", example: "show the undone edit")

    private static func command(
        _ name: String, _ move: PhotoHistory.Move, summary: String, example: String
    ) -> Command {
        Command(
            name, summary: summary, discussion: discussion,
            examples: [.init("rawmill \(name) film/photos/raw/IMG_1.mono.jpg --library film", example)],
            parameters: PhotoNames.all + [LibraryOption.json]
        ) { values in try perform(move, values) }
    }

    static func perform(_ move: PhotoHistory.Move, _ values: ArgumentValues) throws -> Int32 {
        let reviser = try PhotoReviser(library: values[LibraryOption.parameter], mode: .visit)
        let photos = try PhotoNames.photos(values, reviser)
        let changes = try reviser.move(photos, move)
        let report = RevisionReport(reviser: reviser, asJSON: values[LibraryOption.json], output: .standardOutput)
        var isWhole = true
        for change in changes {
            let history = change.before.history
            if history.target(of: move) == nil {
                isWhole = false
                report.write(change.before, "stays: \(lack(of: move, history))")
            } else {
                report.write(change)
            }
        }
        return isWhole ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func lack(of move: PhotoHistory.Move, _ history: PhotoHistory) -> String {
        switch move {
        case .undo: "it is the first revision"
        case .redo: "it has no later revision"
        case .original: "its first revision was removed"
        case .to(let number):
            "it has no revision \(number); it has \(history.revisions.map { "\($0.number)" }.joined(separator: ", "))"
        }
    }
}

/// `rawmill revert`: photos show their first revision, or one by number.
enum RevertCommand {
    static let to: Parameter<Int?> = .optional(
        "to", "N", must: .within(1...1_000_000), help: "Revision number, as `rawmill library show` lists it.")
    static let original: Parameter<Bool> = .flag(
        "original", help: "Go to the first revision. This is the default without --to.")

    static let command: Command = Command(
        "revert", summary: "Return photos to their first revision, or to a revision by number.",
        discussion: """
            Edits stay in the library: `rawmill redo` and `rawmill revert --to N` bring them back.

            Exit status: 0 all photos were changed, 3 some have no such revision.
            """,
        examples: [
            .init(
                "rawmill revert 3fa2 --library film",
                "the first revision of all photos of the asset whose id begins with 3fa2"),
            .init("rawmill revert 3fa2 --to 2 --library film", "their second revision"),
        ],
        parameters: PhotoNames.all + [to, original, LibraryOption.json]
    ) { values in
        if values[original], values[to] != nil {
            throw UsageError("--to and --original contradict each other.", command: values.command)
        }
        return try UndoCommand.perform(values[to].map { .to($0) } ?? .original, values)
    }
}
