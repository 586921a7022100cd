import Arguments
import CommandLineTool
import Library
import Telemetry

/// The photos that `edit`, `undo`, `redo` and `revert` are about.
enum PhotoNames {
    static let names: Parameter<[String]> = .positionals(
        "PHOTO", completion: .files,
        help:
            "The path of a photo below the library, or the first digits of an asset's id (four or more) for all its photos."
    )

    /// - Parameter reviser: of the library.
    /// - Throws: `UsageError` for what is no name, `CommandFailure` for what names nothing.
    static func photos(_ values: ArgumentValues, _ reviser: PhotoReviser) throws -> [PhotoReviser.Photo] {
        try photos(values[names], values, reviser)
    }

    /// - Parameter names: as people give them.
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
