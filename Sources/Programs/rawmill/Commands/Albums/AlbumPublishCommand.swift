import Albums
import Arguments
import CommandLineTool
internal import LibraryTables
import PhotoTree
import Runs
import Selection
import Serving
import Telemetry

/// `rawmill album publish NAME --immich URL`: uploads an album's photos to Immich.
enum AlbumPublishCommand {
    private static let immich: Parameter<String> = .required(
        "immich", "URL", environment: "RAWMILL_IMMICH", group: "Where",
        help: "Address of the Immich server: https://photos.example.")
    private static let key: Parameter<PathArgument> = .required(
        "key-file", "FILE", environment: "RAWMILL_IMMICH_KEY_FILE", group: "Where", completion: .files,
        help: "File with an Immich API key, readable only by you.")
    private static let authorities: Parameter<PathArgument?> = .optional(
        "authorities", "FILE", group: "Where", completion: .files,
        help: "PEM file of trusted CA certificates, instead of the system's.")
    private static let originals: Parameter<Bool> = .flag(
        "originals", help: "Upload the RAW files too, and stack each photo on its RAW.")

    static let command: Command = Command(
        "publish", summary: "Upload an album to Immich.",
        discussion: """
            The photos are added to the Immich album of the same name, which is created if missing. Ratings and \
            keywords are in the photos. Immich recognises files by their bytes: files that it has are not uploaded \
            again, so run the same command to continue an interrupted upload. Nothing is removed from Immich. A \
            photo that is missing here, or differs from the library's checksum, is left out and reported.

            The key needs these Immich permissions: asset.read, asset.upload, stack.create, album.read, album.create \
            and albumAsset.create.

            Exit status: 0 complete, 3 something was left out.
            """,
        examples: [
            .init(
                "rawmill album publish best --immich https://photos.example --key-file ~/.immich-key --originals",
                "photos and RAWs, as stacks")
        ],
        parameters: [
            AlbumArguments.name, LibraryOption.parameter, SelectionOption.parameter, originals, immich, key,
            authorities, LibraryOption.json,
        ]
    ) { values in
        let name = values[AlbumArguments.name]
        let roots = try await SourceRoots.existing(library: values[LibraryOption.parameter])
        let filter = PhotoFilter(selection: try SelectionOption.selection(values))
        do {
            let server = try ImmichServer(
                address: try address(values), key: try secret(values),
                authorities: values[authorities].map { String(decoding: $0.bytes, as: UTF8.self) })
            let report = try AlbumArguments.run(values, .read) { store in
                var album = ImmichAlbum(
                    server, files: AlbumFiles(store, roots: roots), withOriginals: values[originals])
                return try album.send(try store.albums.renditions(of: name, filter), as: name)
            }
            write(report, album: name, asJSON: values[LibraryOption.json])
            return report.problems.isEmpty ? ExitStatus.done : ExitStatus.someFailed
        } catch let refusal as ImmichServer.Refusal {
            throw CommandFailure(TerminalText.escape("\(refusal)"), status: ExitStatus.fault)
        }
    }

    private static func address(_ values: ArgumentValues) throws -> String {
        let text = values[immich]
        let rest = ["https://", "http://"].lazy.compactMap { text.hasPrefix($0) ? text.dropFirst($0.count) : nil }.first
        guard let rest, !rest.isEmpty, rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !rest.contains("@") else {
            throw UsageError(
                "--immich: the address must begin with https:// or http://, without a user name.",
                command: values.command)
        }
        return text
    }

    private static func secret(_ values: ArgumentValues) throws -> String {
        let bytes = try InputFile.read(values[key].bytes, for: "--key-file", limitBytes: 4096, command: values.command)
        let text =
            String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw UsageError("--key-file: the file's first line is not a valid key.", command: values.command)
        }
        return text
    }

    private static func write(_ report: ImmichAlbum.Report, album: String, asJSON: Bool) {
        let output = TextOutput.standardOutput
        report.problems.write(to: output, asJSON: asJSON)
        if asJSON {
            output.write(
                event: "published",
                [
                    "album": album,
                    "photos": report.photoCount,
                    "originals": report.originalCount,
                    "sent": report.sentCount,
                    "bytes": report.sentBytes,
                ])
        } else {
            let raws = report.originalCount > 0 ? " and \(SummaryText.counted(report.originalCount, "RAW"))" : ""
            let files = SummaryText.counted(report.sentCount, "file was uploaded", "files were uploaded")
            let photos = SummaryText.counted(report.photoCount, "photo")
            let verb = report.photoCount + report.originalCount == 1 ? "is" : "are"
            output.write(
                line: TerminalText.escape(album) + ": \(photos)\(raws) \(verb) in Immich; \(files), "
                    + "\(NumberText.bytes(report.sentBytes)).")
        }
    }
}
