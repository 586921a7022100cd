import Albums
import Arguments
import CommandLineTool
internal import LibraryTables
import PhotoTree
import Telemetry

/// `rawmill album add`, `remove` and `move` change an album's contents and order, each in one step for any number of
/// photos.
enum AlbumChangeCommands {
    static let add: Command = Command(
        "add", summary: "Add photos to an album.",
        discussion: """
            Photos are added at the end, or at the place given by --to, --before or --after. Photos that are already \
            in the album stay where they are. An asset id selects all frames of the asset; a path selects one photo.
            """,
        examples: [
            .init("rawmill album add best 3fa2 photos/raw/a.mono.jpg --library film", "two photographs"),
            .init("rawmill album add best --where 'taken = 2024' --library film", "all photos of a year"),
        ],
        parameters: [AlbumArguments.name, AlbumArguments.photos, LibraryOption.parameter, SelectionOption.parameter]
            + AlbumArguments.places
    ) { values in
        let name = values[AlbumArguments.name]
        let (given, new) = try AlbumArguments.run(values, .visit) { store in
            let members = try AlbumArguments.members(values, store)
            let place = try AlbumArguments.place(values, store) ?? .end
            return (Set(members).count, try store.albums.add(members, to: name, at: place))
        }
        report("added \(AlbumArguments.counted(new))", given - new, "already in it")
        return ExitStatus.done
    }

    static let remove: Command = Command(
        "remove", summary: "Remove photos from an album. They stay in the library.",
        examples: [.init("rawmill album remove best 3fa2 --library film", "all frames of that asset")],
        parameters: [AlbumArguments.name, AlbumArguments.photos, LibraryOption.parameter, SelectionOption.parameter]
    ) { values in
        let (given, gone) = try AlbumArguments.run(values, .visit) { store in
            let members = try AlbumArguments.members(values, store)
            return (Set(members).count, try store.albums.remove(members, from: values[AlbumArguments.name]))
        }
        // The photos that --where selects need not be in the album.
        report(
            "removed \(AlbumArguments.counted(gone))", values[SelectionOption.parameter] == nil ? given - gone : 0,
            "not in it")
        return ExitStatus.done
    }

    static let move: Command = Command(
        "move", summary: "Move photos within an album.",
        examples: [
            .init("rawmill album move best 3fa2 77c1 --to 1 --library film", "move two assets to the front"),
            .init("rawmill album move best 3fa2 --after 77c1 --library film", "move one behind another"),
        ],
        parameters: [AlbumArguments.name, AlbumArguments.photos, LibraryOption.parameter, SelectionOption.parameter]
            + AlbumArguments.places
    ) { values in
        let (given, moved) = try AlbumArguments.run(values, .visit) { store in
            guard let place = try AlbumArguments.place(values, store) else {
                throw UsageError("Give the place: --to 1, --before PHOTO or --after PHOTO.", command: values.command)
            }
            let members = try AlbumArguments.members(values, store)
            return (Set(members).count, try store.albums.move(members, in: values[AlbumArguments.name], to: place))
        }
        report(
            "moved \(AlbumArguments.counted(moved))", values[SelectionOption.parameter] == nil ? given - moved : 0,
            "not in it")
        return ExitStatus.done
    }

    private static func report(_ done: String, _ rest: Int, _ why: String) {
        let left = rest > 0 ? "; \(rest) \(rest == 1 ? "is" : "are") \(why)" : ""
        TextOutput.standardOutput.write(line: done + left)
    }
}
