import Archives
import Arguments
import CommandLineTool
import Digest
import Library
import Storage
import Telemetry

/// `rawmill album export NAME --to FILE.zip`: an album's photos as one archive.
enum AlbumExportCommand {
    private static let to: Parameter<PathArgument?> = .optional(
        "to", "FILE", completion: .files,
        help: "The archive, which must not exist: FILE.zip or FILE.tar. (default: the album's name, as .zip)")
    private static let originals: Parameter<Bool> = .flag("originals", help: "Puts the RAWs in as well.")

    static let command: Command = Command(
        "export", summary: "Writes an album's photos as one archive, with a manifest.",
        discussion: """
            The photos are in the archive as they are, in the folder of the album's name, under their own names. \
            manifest.json, its last file, has their order, and of each its name, asset, recipe and SHA-256. Every file is \
            compared with what the library knows of it. What is missing or has other bytes is left out, and named.

            Exit status: 0 all is in the archive, 3 something was left out.
            """,
        examples: [
            .init("rawmill album export best --library film", "best.zip in the current folder"),
            .init("rawmill album export best --where \"look = 'mono'\" --to /tmp/b.tar --originals", "with their RAWs"),
        ],
        parameters: [
            AlbumArguments.name, LibraryOption.parameter, SelectionOption.parameter, to, originals, LibraryOption.json,
        ]
    ) { values in
        let name = values[AlbumArguments.name]
        let path = values[to]?.bytes ?? Array((ArchiveNames.safe(name) + ".zip").utf8)
        guard let format = ArchiveFormat.allCases.first(where: { path.ends(with: ".\($0.rawValue)") }) else {
            throw UsageError("--to: an archive's name ends in .zip or .tar.", command: values.command)
        }
        let (root, file) = try OutputFile.location(of: path, option: "--to", command: values.command)
        guard try root.factsIfPresent(of: file) == nil else {
            throw UsageError(
                "\(TerminalText.escape(path)) is there already: give another --to.", command: values.command)
        }
        let roots = try await SourceRoots.existing(library: values[LibraryOption.parameter])
        let filter = PhotoFilter(selection: try SelectionOption.selection(values))
        let report = try AlbumArguments.run(values, .read) { store in
            var archive = AlbumArchive(
                album: name, store: store, roots: roots, format: format, withOriginals: values[originals])
            return try archive.write(try store.albums.renditions(of: name, filter), to: file, in: root)
        }
        write(report, to: path, asJSON: values[LibraryOption.json])
        return report.problems.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func write(_ report: AlbumArchive.Report, to path: [UInt8], asJSON: Bool) {
        let output = TextOutput.standardOutput
        if asJSON {
            for problem in report.problems {
                output.write(event: "left-out") { json in
                    json.field("file", problem.file)
                    json.field("reason", problem.reason)
                }
            }
            output.write(event: "exported") { json in
                json.field("archive", bytes: path)
                json.field("photos", report.photoCount)
                json.field("originals", report.originalCount)
                json.field("bytes", report.sizeBytes)
                json.field("sha256", report.digest.description)
            }
        } else {
            for problem in report.problems {
                output.write(line: TerminalText.escape("left out: \(problem.file): \(problem.reason)"))
            }
            let raws = report.originalCount > 0 ? " and \(report.originalCount) RAWs" : ""
            output.write(
                line: "\(TerminalText.escape(path)): \(report.photoCount) photos\(raws), "
                    + "\(NumberText.bytes(report.sizeBytes)).")
        }
    }
}

extension Collection<UInt8> {
    fileprivate func ends(with text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
