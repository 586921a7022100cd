import Arguments
import CommandLineTool
import Revisions
import Selection
import Telemetry

enum PhotoNames {
    static let names: Parameter<[String]> = .positionals(
        "PHOTO", atLeastOne: false, completion: .files,
        help: """
            Path of a photo in the library, or an asset id (its first four or more digits) for all its photos.
            """
    )

    static let all: [any AnyParameter] = [names, LibraryOption.parameter, SelectionOption.parameter]

    /// More need a campaign, which does not hold them in memory and can be rehearsed.
    private static let maxSelected = 10_000

    /// The named photos, and those that --where selects.
    ///
    /// - Throws: `UsageError` for an invalid name or condition, `CommandFailure` for a name without a photo.
    static func photos(_ values: ArgumentValues, _ reviser: PhotoReviser) throws -> [PhotoReviser.Photo] {
        let selection = try SelectionOption.selection(values)
        if values[names].isEmpty, selection == nil {
            throw UsageError("Name photos, or select them with --where.", command: values.command)
        }
        let named = try photos(values[names], values, reviser)
        guard let selection else { return named }
        guard let selected = try reviser.photos(selection, limit: maxSelected) else {
            throw CommandFailure(
                "--where selects more than \(maxSelected) photos: use `rawmill campaign plan` for so many. It accepts the same "
                    + "condition and the same options.")
        }
        let known = Set(named.map(\.path))
        return named + selected.filter { !known.contains($0.path) }
    }

    static func photos(
        _ names: [String], _ values: ArgumentValues, _ reviser: PhotoReviser
    ) throws -> [PhotoReviser.Photo] {
        let folder = values[LibraryOption.parameter]
        let names = try names.map { text in
            guard let name = AssetName(LibraryShowCommand.below(folder, text)) else {
                throw UsageError(
                    "\"\(TerminalText.escape(text))\" is neither an id nor a path below the library.",
                    command: values.command)
            }
            return name
        }
        do { return try reviser.photos(names) } catch let error as PhotoNameError {
            throw CommandFailure(TerminalText.escape("\(error)"))
        }
    }
}
