import Albums
import Arguments
import CommandLineTool
import LibraryTables
import PhotoTree
import Selection
import Telemetry

/// The common arguments of the album commands: an album, and photos by name or condition.
enum AlbumArguments {
    static let name: Parameter<String> = .positional("ALBUM", help: "Name of the album.")
    static let photos: Parameter<[String]> = .positionals(
        "PHOTO", atLeastOne: false, completion: .files,
        help: "Asset id (its first four or more digits), or path of a photo in the library.")

    /// Opens the library, and turns wrong names into usage errors.
    static func run<Value>(
        _ values: ArgumentValues, _ mode: LibraryMode, _ body: (LibraryStore) throws -> Value
    ) throws -> Value {
        do {
            return try body(try LibraryStore(folder: values[LibraryOption.parameter], mode: mode))
        } catch let error as AlbumError {
            throw CommandFailure(TerminalText.escape("\(error)"))
        } catch let error as PhotoNameError {
            throw CommandFailure(TerminalText.escape("\(error)"))
        }
    }

    static func members(_ values: ArgumentValues, _ store: LibraryStore) throws -> [AlbumMember] {
        let selection = try SelectionOption.selection(values)
        if values[photos].isEmpty, selection == nil {
            throw UsageError("Name photos, or select them with --where.", command: values.command)
        }
        var members = try values[photos].flatMap { try self.members($0, values, store) }
        if let selection { members += try store.albums.members(PhotoFilter(selection: selection)) }
        return members
    }

    static func members(_ text: String, _ values: ArgumentValues, _ store: LibraryStore) throws -> [AlbumMember] {
        guard let name = AssetName(LibraryShowCommand.below(values[LibraryOption.parameter], text)) else {
            throw UsageError(
                "\"\(TerminalText.escape(text))\" is neither an id nor a path below the library.",
                command: values.command)
        }
        return try store.albums.members(named: name)
    }

    // MARK: Places

    static let to: Parameter<Int?> = .optional(
        "to", "N", must: .within(1...Int.max), group: "Where", help: "Place the first photo at this position.")
    static let before: Parameter<String?> = .optional(
        "before", "PHOTO", group: "Where", completion: .files, help: "Place the photos before this one.")
    static let after: Parameter<String?> = .optional(
        "after", "PHOTO", group: "Where", completion: .files, help: "Place the photos after this one.")
    static let places: [any AnyParameter] = [to, before, after]

    /// Nil if no place is given.
    static func place(_ values: ArgumentValues, _ store: LibraryStore) throws -> Albums.Place? {
        switch (values[to], values[before], values[after]) {
        case (nil, nil, nil): nil
        case (let index?, nil, nil): .index(index - 1)
        case (nil, let photo?, nil): try members(photo, values, store).first.map { .before($0) }
        case (nil, nil, let photo?): try members(photo, values, store).last.map { .after($0) }
        default: throw UsageError("Use only one of --to, --before and --after.", command: values.command)
        }
    }

    static func counted(_ count: Int) -> String { count == 1 ? "1 photograph" : "\(count) photographs" }
}
