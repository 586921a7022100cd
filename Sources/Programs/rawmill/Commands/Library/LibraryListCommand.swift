import Arguments
import CommandLineTool
import Digest
import Jobs
import Library
import PictureFormat
import Pixels
import Telemetry

/// `rawmill library list`: the current photos, one a line, in order of their paths.
enum LibraryListCommand {
    static let folder: Parameter<String?> = .optional(
        "folder", "PATH", group: "Which photos", help: "Only those below this folder of photos/: raw/2024.")
    static let look: Parameter<String?> = .optional(
        "look", "NAME", group: "Which photos", help: "Only those of this look.")
    static let date: Parameter<String?> = .optional(
        "date", "DATE", group: "Which photos", help: "Only those captured then: 2024, 2024-05 or 2024-05-01.")

    static let nameTaken: Parameter<Bool> = .flag(
        "name-taken", group: "Which photos", help: "Only those whose own name a file of yours has and keeps.")

    static let command: Command = Command(
        "list", summary: "Lists the current photos.",
        parameters: [LibraryOption.parameter, LibraryOption.json, folder, look, date, nameTaken]
    ) { values in
        guard let filter = PhotoFilter(folder: values[folder], look: values[look], date: values[date]) else {
            throw UsageError(
                "--folder must be a path below photos/, --date a year, month or day like 2024-05-01.",
                command: values.command)
        }
        let store = try LibraryStore(folder: values[LibraryOption.parameter], mode: .read)
        let output = TextOutput.standardOutput
        do {
            try store.photos.each(filter) { photo in
                if values[nameTaken], photo.occupied == nil { return }
                output.write(line: values[LibraryOption.json] ? json(photo) : line(photo))
                if !output.isOpen { throw ReaderLeft() }
            }
        } catch is ReaderLeft {}
        return ExitStatus.done
    }

    /// `| head` has seen enough.
    private struct ReaderLeft: Error {}

    static func line(_ photo: PhotoSummary) -> String {
        let date = photo.captured.map(spoken) ?? "                   "
        let taken = photo.occupied.map { "  instead of \($0), which is a file of yours" } ?? ""
        let note = taken + (photo.degraded.map { "  degraded: \($0)" } ?? "")
        let look = "\(photo.look)@\(photo.lookVersion)"
        let text = "\(photo.asset.description.prefix(12))  \(date)  \(look)  \(photo.path)\(note)"
        return TerminalText.escape(text)
    }

    /// `2024:05:01 08:01:00` as people write it.
    private static func spoken(_ exif: String) -> String {
        let parts = exif.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return exif }
        return parts[0].map { $0 == ":" ? "-" : String($0) }.joined() + " " + parts[1]
    }

    static func json(_ photo: PhotoSummary) -> String {
        JSONWriter.line { json in
            json.field("asset", photo.asset.description)
            json.field("frame", photo.frame)
            json.field("look", "\(photo.look)@\(photo.lookVersion)")
            json.field("photo", bytes: photo.path.bytes)
            json.field("occupied", photo.occupied.map { LogValue($0) })
            json.field("bytes", photo.sizeBytes)
            json.field("width", photo.size.map { LogValue($0.width) })
            json.field("height", photo.size.map { LogValue($0.height) })
            json.object("original") { $0.file(photo.original) }
            json.field("captured", photo.captured.map(LogValue.text))
            json.field("make", photo.make)
            json.field("model", photo.model)
            json.field("degraded", photo.degraded.map(LogValue.text))
        }
    }
}

extension JSONWriter {
    /// A file's root and path, as two fields.
    mutating func file(_ file: FileReference) {
        field("root", file.root.text)
        field("path", bytes: file.path.bytes)
    }
}
