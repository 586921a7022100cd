import Albums
import Arguments
import CommandLineTool
internal import LibraryTables
import PhotoTree
import Telemetry

enum AlbumCommand {
    static let group: Command = Command(
        "album", summary: "Group photos of a library in albums, in your own order.",
        subcommands: [
            create, list, AlbumShowCommand.command, AlbumChangeCommands.add, AlbumChangeCommands.remove,
            AlbumChangeCommands.move, rename, delete, AlbumExportCommand.command,
            AlbumPublishCommand.command,
        ])

    private static let newName: Parameter<String> = .positional("NEW-NAME", help: "New name.")

    private static let create: Command = Command(
        "create", summary: "Create an empty album.",
        parameters: [AlbumArguments.name, LibraryOption.parameter]
    ) { values in
        try AlbumArguments.run(values, .visit) { try $0.albums.create(values[AlbumArguments.name]) }
        return ExitStatus.done
    }

    private static let list: Command = Command(
        "list", summary: "List a library's albums.", parameters: [LibraryOption.parameter, LibraryOption.json]
    ) { values in
        var output = BufferedTextOutput(.standardOutput)
        let albums = try AlbumArguments.run(values, .read) { try $0.albums.all() }
        if albums.isEmpty { EmptyList.note("The library has no albums.", isText: !values[LibraryOption.json]) }
        for album in albums {
            if values[LibraryOption.json] {
                output.write([
                    "album": album.name,
                    "photographs": album.count,
                ])
            } else {
                output.write(line: "\(TerminalText.escape(album.name))  \(AlbumArguments.counted(album.count))")
            }
        }
        output.flush()
        return ExitStatus.done
    }

    private static let rename: Command = Command(
        "rename", summary: "Rename an album.",
        parameters: [AlbumArguments.name, newName, LibraryOption.parameter]
    ) { values in
        try AlbumArguments.run(values, .visit) {
            try $0.albums.rename(values[AlbumArguments.name], to: values[newName])
        }
        return ExitStatus.done
    }

    private static let delete: Command = Command(
        "delete", summary: "Delete an album. Its photos stay in the library.",
        discussion: """
            Without --yes, show what would be deleted.
            """,
        parameters: [AlbumArguments.name, LibraryOption.parameter, LibraryOption.yes]
    ) { values in
        let name = values[AlbumArguments.name]
        let isDone = values[LibraryOption.yes]
        let count = try AlbumArguments.run(values, isDone ? .change : .read) { store in
            isDone ? try store.albums.delete(name) : try store.albums.members(of: name).count
        }
        TextOutput.standardOutput.write(
            line: "\(isDone ? "removed" : "would remove") the album \"\(TerminalText.escape(name))\" of "
                + "\(AlbumArguments.counted(count)), which stay in the library\(isDone ? "" : "; --yes does it")")
        return ExitStatus.done
    }
}
