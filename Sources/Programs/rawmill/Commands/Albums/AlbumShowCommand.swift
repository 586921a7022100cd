internal import Albums
import Arguments
import CommandLineTool
internal import LibraryTables
import Selection
import Telemetry

enum AlbumShowCommand {
    static let command: Command = Command(
        "show", summary: "List the photos of an album in order.",
        discussion: """
            An asset with several photos has one line for each, all with the same number.
            """,
        parameters: [
            AlbumArguments.name, LibraryOption.parameter, LibraryOption.json, SelectionOption.parameter,
        ]
    ) { values in
        let filter = PhotoFilter(selection: try SelectionOption.selection(values))
        let photos = try AlbumArguments.run(values, .read) {
            try $0.albums.photos(of: values[AlbumArguments.name], filter)
        }
        if photos.isEmpty {
            EmptyList.note(
                filter.selection == nil ? "The album is empty." : "No photos of the album match.",
                isText: !values[LibraryOption.json])
        }
        var output = BufferedTextOutput(.standardOutput)
        for photo in photos {
            if values[LibraryOption.json] {
                output.write(["number": photo.index + 1] + LibraryListCommand.fields(photo.summary))
            } else {
                output.write(line: "\(photo.index + 1)  \(LibraryListCommand.line(photo.summary))")
            }
        }
        output.flush()
        return ExitStatus.done
    }
}
