import Arguments
import CommandLineTool
import Coordinator
import Jobs
import Looks
import Storage
import Telemetry

/// `rawmill looks import`: looks of other programs and of one's own, by name from then on.
enum LooksImportCommand {
    static let files: Parameter<[PathArgument]> = .positionals(
        "FILE", completion: .files, help: "Looks in YAML, .cube tables, Hald pictures as PNG.")
    static let name: Parameter<String?> = .optional(
        "name", "NAME", help: "The look's name: a-z, 0-9 and -. (default: that in the file, or the file's)")
    static let version: Parameter<UInt32?> = .optional(
        "look-version", "N", must: .within(1...LookFile.maxVersion),
        help: "The look's version. (default: that in the file, or 1)")
    static let summary: Parameter<String?> = .optional("summary", "TEXT", help: "One sentence that lists show.")
    static let space: Parameter<EnumArgument<TableSpace>?> = .optional(
        "input-space", "SPACE",
        help: "The colours that a table is made for, which its file cannot say. (default: srgb, with a warning)")

    static let command: Command = Command(
        "import", summary: "Keeps looks in the user's folder, or in a library, by name and version.",
        discussion: """
            A table takes and gives display colours (srgb, rec709, display-p3, adobe-rgb, linear), or it makes the picture of \
            scene light, mostly as logarithms of a camera or a grading program (logc3, logc4, slog3, vlog, canon-log2, canon-log3, \
            cineon, acescct, acescg, davinci-intermediate), for a Rec. 709 monitor. Ask its maker; a wrong guess gives wrong \
            colours.

            A look never changes once it is kept: other contents need another version.
            """,
        examples: [
            .init("rawmill looks import 'Warm Print.cube' --input-space rec709", "known as warm-print@1 from then on"),
            .init("rawmill looks import evening.yaml --library ~/Photos", "a look of one's own, kept in the library"),
        ],
        parameters: [files, name, version, summary, space, StatusCommand.library, LooksCommand.json]
    ) { values in
        guard values[name] == nil || values[files].count == 1 else {
            throw UsageError("--name is for one file.", command: values.command)
        }
        // All of them are looked at before one is kept.
        let looks = try values[files].map { try read($0, values) }
        for look in looks { try await keep(look, values) }
        return ExitStatus.done
    }

    private struct Imported {
        let look: Look
        let bytes: [UInt8]
    }

    private static func read(_ file: PathArgument, _ values: ArgumentValues) throws -> Imported {
        let shown = TerminalText.escape(file.description)
        let bytes = try InputFile.read(
            file.bytes, for: "FILE", limitBytes: LookSelection.limitBytes, command: values.command)
        do throws(LookError) {
            let whole =
                LookFile.isDefinition(bytes)
                ? try definition(bytes, file, values) : try table(bytes, file, values)
            let look = try Look(file: whole, fileName: "look")
            try checkName(look.name)
            return Imported(look: look, bytes: whole)
        } catch {
            throw UsageError("\(shown): \(error).", command: values.command)
        }
    }

    private static func definition(
        _ bytes: [UInt8], _ file: PathArgument, _ values: ArgumentValues
    ) throws(LookError) -> [UInt8] {
        guard values[space] == nil else {
            throw LookError("--input-space is for tables; this look says input-space: itself, at each of its tables")
        }
        var changes = LookFile.Changes(name: values[name], version: values[version], summary: values[summary])
        let own = try LookFile.whole(bytes, changes: changes, table: LookSelection.tables(beside: file.bytes))
        if try !Look(file: own, fileName: "look").hasOwnVersion { changes.version = 1 }
        return try LookFile.whole(bytes, changes: changes, table: LookSelection.tables(beside: file.bytes))
    }

    private static func table(
        _ bytes: [UInt8], _ file: PathArgument, _ values: ArgumentValues
    ) throws(LookError) -> [UInt8] {
        let (text, shown) = (file.description, TerminalText.escape(file.description))
        let report = try TableReport(bytes, fileName: text)
        if values[space] == nil {
            warn(
                "\(shown) does not say which colours it is made for: taken for \(TableSpace.sRGB.explanation). "
                    + "--input-space says otherwise.")
        }
        for warning in report.warnings where values[space] == nil || !warning.contains("--input-space") {
            warn("\(shown): \(TerminalText.escape(warning))")
        }
        let base = text.split(separator: "/").last.map(String.init) ?? text
        return try LookFile.whole(
            table: bytes, name: values[name] ?? plainName(text), version: values[version] ?? 1,
            summary: values[summary] ?? "The table of \(base).", space: values[space]?.value ?? .sRGB)
    }

    /// A name without what brackets and blanks in the file's leave: `warm-print-v2` of `Warm Print (v2).cube`.
    private static func plainName(_ file: String) -> String {
        let words = Look.name(fromFile: file).split(separator: "-")
        return words.isEmpty ? "table" : words.joined(separator: "-")
    }

    private static func warn(_ text: String) { TextOutput.standardError.write(line: "rawmill: \(text)") }

    /// A name that stands for something else already would never be found.
    private static func checkName(_ name: String) throws(LookError) {
        if LookCatalogue.builtIn.looks.contains(where: { $0.name == name })
            || CoreImageEffects.list.contains(where: { $0.name.lowercased() == name })
        {
            throw LookError("\(name) is a look of Rawmill's own: give this one another --name")
        }
    }

    private static func keep(_ imported: Imported, _ values: ArgumentValues) async throws {
        let (place, isNew): (String, Bool)
        if let library = values[StatusCommand.library] {
            (place, isNew) = (library, try await keep(imported, library: library))
        } else {
            guard let folder = LookFolder() else {
                throw UsageError(
                    "There is no home folder: set XDG_DATA_HOME, or give --library.", command: values.command)
            }
            (place, isNew) = (folder.path, try folder.add(imported.look, imported.bytes))
        }
        let look = imported.look
        let line =
            isNew
            ? "\(look.identifier) is in \(TerminalText.escape(place))."
            : "\(look.identifier) was in \(TerminalText.escape(place)) already."
        TextOutput.standardOutput.write(line: values[LooksCommand.json] ? LooksCommand.object(look, own: true) : line)
    }

    /// - Returns: whether the library did not have it.
    private static func keep(_ imported: Imported, library: String) async throws -> Bool {
        guard try Ledger.existing(library: library) != nil else {
            throw CommandFailure(
                "\(TerminalText.escape(library)) is no library yet: `rawmill convert … --library` makes one.")
        }
        let selection = LookSelection(look: imported.look, file: imported.bytes)
        let ledger = try await Ledger.open(library: library)
        let known = try await ledger.perform { try $0.looks.versions(of: imported.look.name) }
        let isNew = !known.contains { $0.digest == imported.look.digest }
        // The file first: a version in the ledger without its file could not be used.
        try selection.store(in: Root(path: library))
        _ = try await ledger.perform { try selection.reference(in: $0, recording: true) }
        await ledger.close()
        return isNew
    }
}
