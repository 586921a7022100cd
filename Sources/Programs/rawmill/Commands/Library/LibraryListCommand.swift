import Arguments
import CommandLineTool
import Digest
import Jobs
internal import LibraryTables
import Manifests
import PhotoTree
import PictureFormat
import Pixels
import Selection
import Serving
import Telemetry

/// `rawmill library list`: the current photos, one a line, ordered by path.
enum LibraryListCommand {
    static let folder: Parameter<String?> = .optional(
        "folder", "PATH", group: "Which photos", help: "List photos below this folder of photos/: raw/2024.")
    static let look: Parameter<String?> = .optional(
        "look", "NAME", group: "Which photos", completion: .words(LookSelection.builtInNames),
        help: "List photos with this look.")
    static let date: Parameter<String?> = .optional(
        "date", "DATE", group: "Which photos", help: "List photos captured on this date: 2024, 2024-05 or 2024-05-01.")

    static let nameTaken: Parameter<Bool> = .flag(
        "name-taken", group: "Which photos",
        help: "List photos that have another name because a file of yours uses theirs.")
    static let limit: Parameter<Int?> = .optional(
        "limit", "N", must: .within(1...Int.max), group: "Which photos", help: "Maximum number of photos.")
    static let after: Parameter<String?> = .optional(
        "after", "PATH", group: "Which photos",
        help: "Start after this path: the last one of the previous page.")
    static let bursts: Parameter<Bool> = .flag(
        "bursts", group: "Which photos",
        help: "Show one photo per burst (most stars, or the first), with the burst's size.")
    static let csv: Parameter<Bool> = .flag(
        "csv", help: "Write comma-separated values, for spreadsheets and databases.")
    static let count: Parameter<Bool> = .flag("count", help: "Write the number of photos only.")

    static let command: Command = Command(
        "list", summary: "List photos.",
        discussion: """
            Photos must match all conditions. --where takes conditions on fields, joined by and, or, not and \
            parentheses; write texts in single quotes. Fields: \(fields). The manual page "Selecting photos" \
            describes the language.
            """,
        examples: [
            .init(
                "rawmill library list --where \"camera like 'NIKON%' and taken < 2015\"",
                "photos from before 2015 by any Nikon"),
            .init("rawmill library list --bursts", "one photo per burst"),
            .init("rawmill library list --csv > photos.csv", "the whole catalogue for a spreadsheet"),
            .init("rawmill library list --where 'degraded is not null' --count", "the number of degraded photos"),
        ],
        parameters: [
            LibraryOption.parameter, LibraryOption.json, folder, look, date, SelectionOption.parameter, nameTaken,
            limit, after, bursts, csv, count,
        ]
    ) { values in
        guard var filter = PhotoFilter(folder: values[folder], look: values[look], date: values[date]) else {
            throw UsageError(
                "--folder must be a path below photos/, --date a year, month or day like 2024-05-01.",
                command: values.command)
        }
        filter.selection = try SelectionOption.selection(values)
        filter.isNameTaken = values[nameTaken]
        let library = values[LibraryOption.parameter]
        let last = try values[after].map { text in
            guard let path = RelativePath(LibraryShowCommand.below(library, text)) else {
                throw UsageError("--after must be the path of a photo, as listed.", command: values.command)
            }
            return path
        }
        let store = try LibraryStore(folder: library, mode: .read)
        let isJSON = values[LibraryOption.json]
        let isTable = values[csv]
        guard !isTable || !isJSON && !values[count] else {
            throw UsageError("--csv, --json and --count exclude each other: use one.", command: values.command)
        }
        var output = BufferedTextOutput(.standardOutput)
        if values[count] {
            let count =
                values[bursts] ? try store.photos.burstMarks(filter, every: .max).count : try store.photos.count(filter)
            if isJSON {
                output.write([
                    "photos": count
                ])
            } else {
                output.write(line: "\(count)")
            }
        } else {
            if isTable { output.write(line: tableHead + (values[bursts] ? ",burst" : "")) }
            var isEmpty = true
            func write(_ photo: PhotoSummary, burst: Int?) throws {
                isEmpty = false
                if isJSON {
                    output.write(Self.fields(photo) + (burst.map { ["burst": $0] } ?? [:]))
                } else if isTable {
                    output.write(line: row(photo) + (burst.map { ",\($0)" } ?? ""))
                } else {
                    output.write(line: line(photo) + (burst.map { $0 > 1 ? "  of a burst of \($0)" : "" } ?? ""))
                }
                if !output.isOpen { throw ReaderLeft() }
            }
            do {
                if values[bursts] {
                    try store.photos.eachBurst(filter, after: last, limit: values[limit]) { burst in
                        try write(burst.front, burst: burst.count)
                    }
                } else {
                    try store.photos.each(filter, after: last, limit: values[limit]) { try write($0, burst: nil) }
                }
            } catch is ReaderLeft {}
            if isEmpty {
                let isAll = last == nil && filter == PhotoFilter()
                EmptyList.note(
                    isAll ? "The library has no photos." : "No photos match.", isText: !isJSON && !isTable)
            }
        }
        output.flush()
        return ExitStatus.done
    }

    private static var fields: String { SelectionField.allCases.map(\.rawValue).joined(separator: ", ") }

    /// The reader of the output has left, such as `| head`.
    private struct ReaderLeft: Error {}

    static func line(_ photo: PhotoSummary) -> String {
        let date = photo.captured.map(spoken) ?? "                   "
        let taken = photo.occupied.map { "  instead of \($0), which is your file" } ?? ""
        let note = taken + (photo.degraded.map { "  degraded: \($0)" } ?? "")
        let look = "\(photo.look)@\(photo.lookVersion)"
        let asset = Array(photo.asset.bytes.prefix(6)).hex
        let text = "\(asset)  \(date)  \(look)  \(photo.path)\(note)"
        return TerminalText.escape(text)
    }

    private static let tableHead =
        (["photo,asset,frame,look,taken,make,model,width,height,bytes,root,path,degraded,rating,keywords"]
        + exifFacts.map(\.key)).joined(separator: ",")
    private static let exifFacts = PhotoFact.all.filter { $0.origin == .exif }

    /// Bytes of a path that are not UTF-8 become U+FFFD.
    private static func row(_ photo: PhotoSummary) -> String {
        let facts = exifFacts.map { $0.value(in: photo.facts)?.text ?? "" }
        return CSVLine.text(
            [
                "\(photo.path)", photo.asset.description, "\(photo.frame)", "\(photo.look)@\(photo.lookVersion)",
                photo.captured.map(spoken) ?? "", photo.make, photo.model, photo.size.map { "\($0.width)" } ?? "",
                photo.size.map { "\($0.height)" } ?? "", "\(photo.sizeBytes)", photo.original.root.text,
                "\(photo.original.path)", photo.degraded ?? "", photo.rating.map(String.init) ?? "",
                photo.keywords?.words.joined(separator: "; ") ?? "",
            ] + facts)
    }

    /// `2024:05:01 08:01:00` as people write it.
    static func spoken(_ exif: String) -> String {
        var bytes = Array(exif.utf8)
        guard let end = bytes.firstIndex(of: UInt8(ascii: " ")) else { return exif }
        for index in 0..<end where bytes[index] == UInt8(ascii: ":") { bytes[index] = UInt8(ascii: "-") }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func fields(_ photo: PhotoSummary) -> JSONFields {
        [
            "asset": photo.asset.description, "frame": photo.frame, "look": "\(photo.look)@\(photo.lookVersion)",
            "photo": String(decoding: photo.path.bytes, as: UTF8.self), "occupied": photo.occupied?.description,
            "bytes": photo.sizeBytes, "width": photo.size?.width, "height": photo.size?.height,
            "original": JSONFields(file: photo.original),
        ] + JSONFields(photo.facts)
    }
}

extension JSONFields {
    /// A file's root and path, as two fields.
    init(file: FileReference) {
        self = ["root": file.root.text, "path": String(decoding: file.path.bytes, as: UTF8.self)]
    }
}
