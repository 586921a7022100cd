import Archives
import Arguments
import CommandLineTool
import Digest
import Library
import Runs
import Serving
import Storage
import Telemetry

/// `rawmill album export NAME --to FILE.zip`: an album's photos as one archive, or as a folder.
enum AlbumExportCommand {
    private static let to: Parameter<PathArgument?> = .optional(
        "to", "FILE|FOLDER/", completion: .files,
        help:
            "What is written, and must not exist: FILE.zip, FILE.tar, or a folder, whose path ends in a slash. (default: the "
            + "album's name, as .zip)")
    private static let originals: Parameter<Bool> = .flag("originals", help: "Puts the RAWs in as well.")
    private static let sidecars: Parameter<Bool> = .flag(
        "sidecars",
        help:
            "Puts a sidecar beside each file that people wrote something about: rating, label, keywords, titles, place, as "
            + "darktable, digiKam and others read it.")

    static let command: Command = Command(
        "export", summary: "Writes an album's photos as one archive or a folder, with a manifest.",
        discussion: """
            The photos are there as they are, under their own names; in an archive in a folder of the album's name. \
            manifest.json, the last file, has their order, and of each its name, asset, recipe and SHA-256. Every file is \
            compared with what the library knows of it. What is missing or has other bytes is left out, and named.

            Exit status: 0 all is there, 3 something was left out.
            """,
        examples: [
            .init("rawmill album export best --library film", "best.zip in the current folder"),
            .init("rawmill album export best --where \"look = 'mono'\" --to /tmp/b.tar --originals", "with their RAWs"),
            .init(
                "rawmill album export best --to ~/best/ --originals --sidecars",
                "a folder for darktable or digiKam, with ratings and keywords"),
        ],
        parameters: [
            AlbumArguments.name, LibraryOption.parameter, SelectionOption.parameter, to, originals, sidecars,
            LibraryOption.json,
        ]
    ) { values in
        let name = values[AlbumArguments.name]
        let path = values[to]?.bytes ?? Array((ArchiveNames.safe(name) + ".zip").utf8)
        let place = try Place(path, command: values.command)
        let roots = try await SourceRoots.existing(library: values[LibraryOption.parameter])
        let filter = PhotoFilter(selection: try SelectionOption.selection(values))
        let extras = AlbumExtras(originals: values[originals], sidecars: values[sidecars])
        let (report, written) = try AlbumArguments.run(values, .read) { store in
            var export = AlbumExport(album: name, store: store, roots: roots, extras: extras)
            let renditions = try store.albums.renditions(of: name, filter)
            var report = AlbumExport.Report()
            let written = try place.write(name) { report = try export.write(renditions, to: $0) }
            return (report, written)
        }
        write(report, written, to: path, asJSON: values[LibraryOption.json])
        return report.problems.isEmpty ? ExitStatus.done : ExitStatus.someFailed
    }

    /// What was written; a folder has no hash.
    private typealias Written = (sizeBytes: UInt64, digest: SHA256Value?)

    /// Where the files go.
    private struct Place {
        private let root: Root
        private let name: [UInt8]
        /// Nil for a folder.
        private let format: ArchiveFormat?

        /// - Throws: `UsageError` if something has the name.
        init(_ path: [UInt8], command: [String]) throws {
            format = ArchiveFormat.allCases.first { path.ends(with: ".\($0.rawValue)") }
            guard format != nil || path.count > 1 && path.ends(with: "/") else {
                throw UsageError(
                    "--to: an archive's name ends in .zip or .tar, a folder's path in a slash.", command: command)
            }
            (root, name) = try OutputFile.free(path, option: "--to", command: command)
        }

        func write(_ album: String, _ fill: (any AlbumTarget) throws -> Void) throws -> Written {
            if let format {
                return try AlbumArchive.write(of: album, format, to: name, in: root) { try fill($0) }
            }
            var sizeBytes: UInt64 = 0
            try root.makeFolder(name) { unfinished in
                let folder = AlbumFolder(unfinished, in: root)
                try fill(folder)
                sizeBytes = folder.sizeBytes
            }
            return (sizeBytes, nil)
        }
    }

    private static func write(
        _ report: AlbumExport.Report, _ written: Written, to path: [UInt8], asJSON: Bool
    ) {
        let output = TextOutput.standardOutput
        report.problems.write(to: output, asJSON: asJSON)
        if asJSON {
            let target = written.digest == nil ? "folder" : "archive"
            output.write(
                event: "exported",
                JSONFields([(target, String(decoding: path, as: UTF8.self))])
                    + [
                        "photos": report.photoCount, "originals": report.originalCount, "bytes": written.sizeBytes,
                        "sha256": written.digest?.description,
                    ])
        } else {
            let raws = report.originalCount > 0 ? " and \(SummaryText.counted(report.originalCount, "RAW"))" : ""
            output.write(
                line: "\(TerminalText.escape(path)): \(SummaryText.counted(report.photoCount, "photo"))\(raws), "
                    + "\(NumberText.bytes(written.sizeBytes)).")
        }
    }
}

extension Collection<UInt8> {
    fileprivate func ends(with text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
