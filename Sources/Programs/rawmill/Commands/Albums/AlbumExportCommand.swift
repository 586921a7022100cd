import Albums
import Archives
import Arguments
import CommandLineTool
import Digest
internal import LibraryTables
import PhotoTree
import Runs
import Selection
import Serving
import Storage
import Telemetry

/// `rawmill album export NAME --to FILE.zip`: exports an album's photos as an archive or a folder.
enum AlbumExportCommand {
    private static let to: Parameter<PathArgument?> = .optional(
        "to", "FILE|FOLDER/", completion: .files,
        help: """
            File or folder to create: FILE.zip, FILE.tar, or a folder with a trailing slash. It must not exist. \
            (default: ALBUM.zip)
            """)
    private static let originals: Parameter<Bool> = .flag("originals", help: "Include the RAW files.")
    private static let sidecars: Parameter<Bool> = .flag(
        "sidecars",
        help: "Write an XMP sidecar beside each file that has a rating, label, keywords, title or place.")

    static let command: Command = Command(
        "export", summary: "Export an album as an archive or a folder, with a manifest.",
        discussion: """
            The photos keep their bytes and names. The manifest, manifest.json, lists them in the album's order, \
            each with its name, asset, recipe and SHA-256. Every file is compared with the library's checksum; a \
            file that is missing or differs is left out and reported.

            Exit status: 0 complete, 3 something was left out.
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

    private struct Place {
        private let root: Root
        private let name: [UInt8]
        /// Nil for a folder.
        private let format: ArchiveFormat?

        /// Throws `UsageError` if the name is taken.
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
