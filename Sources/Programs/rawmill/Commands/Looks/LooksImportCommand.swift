import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Looks
import Storage
import Telemetry

/// `rawmill looks import`: adds looks of other programs or the user, to be used by name.
enum LooksImportCommand {
    static let files: Parameter<[PathArgument]> = .positionals(
        "FILE", completion: .files, help: "Looks in YAML, .cube tables, or Hald images (PNG).")
    static let name: Parameter<String?> = .optional(
        "name", "NAME", help: "Name of the look: a-z, 0-9 and -. (default: the name in the file, or the file name)")
    static let version: Parameter<UInt32?> = .optional(
        "look-version", "N", must: .within(1...LookFile.maxVersion),
        help: "Version of the look. (default: the version in the file, or 1)")
    static let summary: Parameter<String?> = .optional("summary", "TEXT", help: "One-sentence description.")
    static let space: Parameter<EnumArgument<TableSpace>?> = .optional(
        "input-space", "SPACE",
        help: """
            Colour space that the table expects; table files do not state it. (default: srgb, with a warning)
            """)

    static let command: Command = Command(
        "import", summary: "Import looks for this user, or into a library.",
        discussion: """
            A table either maps display colours (srgb, rec709, display-p3, adobe-rgb, linear), or maps scene light, \
            usually in a camera's or grading program's logarithmic curve (logc3, logc4, slog3, vlog, canon-log2, \
            canon-log3, cineon, acescct, acescg, davinci-intermediate), to a Rec. 709 display. Ask the table's \
            author: a wrong choice gives wrong colours. An imported look never changes; different contents need a \
            new version.
            """,
        examples: [
            .init("rawmill looks import 'Warm Print.cube' --input-space rec709", "available as warm-print@1"),
            .init("rawmill looks import evening.yaml --library ~/Photos", "your own look, stored in the library"),
        ],
        parameters: [files, name, version, summary, space, StatusCommand.library, LooksCommand.json]
    ) { values in
        guard values[name] == nil || values[files].count == 1 else {
            throw UsageError("--name applies to a single file.", command: values.command)
        }
        // All are checked before any is kept.
        let looks = try values[files].map { try read($0, values) }
        for look in looks { try await keep(look, values) }
        return ExitStatus.done
    }

    private static func read(_ file: PathArgument, _ values: ArgumentValues) throws -> ImportedLook {
        let shown = TerminalText.escape(file.description)
        let bytes = try InputFile.read(
            file.bytes, for: "FILE", limitBytes: LookSelection.limitBytes, command: values.command)
        do throws(LookError) {
            let imported = try ImportedLook(
                bytes, fileName: file.description,
                changes: LookFile.Changes(name: values[name], version: values[version], summary: values[summary]),
                space: values[space]?.value, table: LookSelection.tables(beside: file.bytes))
            for warning in imported.warnings {
                TextOutput.standardError.write(line: "rawmill: \(shown): \(TerminalText.escape(warning))")
            }
            return imported
        } catch {
            throw UsageError("\(shown): \(error).", command: values.command)
        }
    }

    private static func keep(_ imported: ImportedLook, _ values: ArgumentValues) async throws {
        let (place, isNew): (String, Bool)
        if let library = values[StatusCommand.library] {
            (place, isNew) = (library, try await keep(imported, library: library))
        } else {
            guard let folder = LookFolder() else {
                throw UsageError(
                    "There is no home folder: set XDG_DATA_HOME, or use --library.", command: values.command)
            }
            (place, isNew) = (folder.path, try folder.add(imported.look, imported.bytes))
        }
        let look = imported.look
        let line =
            isNew
            ? "\(look.identifier) is in \(TerminalText.escape(place))."
            : "\(look.identifier) was already in \(TerminalText.escape(place))."
        TextOutput.standardOutput.write(line: values[LooksCommand.json] ? LooksCommand.object(look, own: true) : line)
    }

    /// Returns whether the library did not have it yet.
    private static func keep(_ imported: ImportedLook, library: String) async throws -> Bool {
        guard try Ledger.existing(library: library) != nil else {
            throw CommandFailure(
                "\(TerminalText.escape(library)) is not a library: create one with `rawmill convert … --library`.")
        }
        let selection = LookSelection(look: imported.look, file: imported.bytes)
        let ledger = try await Ledger.open(library: library)
        let known = try await ledger.perform { try $0.looks.versions(of: imported.look.name) }
        let isNew = !known.contains { $0.digest == imported.look.digest }
        // The file first: a version in the ledger without its file is useless.
        try selection.store(in: Root(path: library))
        _ = try await ledger.perform { try selection.reference(in: $0, recording: true) }
        await ledger.close()
        return isNew
    }
}
