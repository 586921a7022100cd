import Arguments
import CommandLineTool
import LensDatabase
import Lenses
import Storage
import Telemetry

enum LensesCommand {
    static let group: Command = Command(
        "lenses", summary: "List the lenses that can be corrected, and update a library's lens table.",
        subcommands: [list, update])

    private static let json: Parameter<Bool> = .flag("json", help: "Write one JSON object per line.")
    private static let words: Parameter<[String]> = .positionals(
        "WORD", atLeastOne: false, help: "Words that the lens name must contain.")

    private static let list: Command = Command(
        "list", summary: "List lenses, and the corrections known for each.",
        discussion: """
            With --library, list the library's lens table; otherwise this machine's Lensfun database, which every \
            new library copies.
            """,
        parameters: [StatusCommand.library, words, json]
    ) { values in
        let table: LensTable
        if let library = values[StatusCommand.library] {
            guard let found = try LensTableSelection.table(in: try Root(path: library)) else {
                throw CommandFailure("the library \(library) has no lens table. Run `rawmill lenses update`.")
            }
            table = found
        } else {
            guard let found = try LensTableCache.user.table(isKept: true)?.table() else { throw noDatabase }
            table = found
        }
        let wanted = values[words].map { $0.lowercased() }
        let found = table.lenses.filter { lens in
            let name = lens.title.lowercased()
            return wanted.allSatisfy { name.contains($0) }
        }
        if found.isEmpty {
            EmptyList.note(
                wanted.isEmpty ? "The lens table is empty." : "No lens has these words in its name.",
                isText: !values[json])
        }
        for lens in found {
            TextOutput.standardOutput.write(line: values[json] ? object(lens) : text(lens))
        }
        return ExitStatus.done
    }

    private static let update: Command = Command(
        "update", summary: "Update a library's lens table from this machine's Lensfun database.",
        discussion: """
            A library keeps its first lens table, so all its photos get the same corrections. After an update, \
            the next conversion uses a new recipe and develops the photos again.
            """,
        parameters: [requiredLibrary]
    ) { values in
        let library = try Root(path: values[requiredLibrary])
        let before = try LensTableSelection.current(in: library)
        guard let digest = try LensTableSelection.update(library) else { throw noDatabase }
        let text =
            before == digest ? "The library already has this machine's lens table." : "The library's lens table is now"
        TextOutput.standardOutput.write(line: before == digest ? text : "\(text) \(digest).")
        return ExitStatus.done
    }

    private static let requiredLibrary: Parameter<String> = .required(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "Folder of the library.")

    private static var noDatabase: CommandFailure {
        CommandFailure("this machine has no Lensfun database. Install liblensfun-data-v1.")
    }

    private static func faults(_ lens: LensRecord) -> [String] {
        [
            lens.distortion.isEmpty ? nil : "distortion", lens.lateralColour.isEmpty ? nil : "lateral colour",
            lens.vignetting.isEmpty ? nil : "vignetting",
        ].compactMap(\.self)
    }

    private static func text(_ lens: LensRecord) -> String {
        TerminalText.escape(
            "\(lens.title)  (\(lens.mounts.joined(separator: ", ")), crop \(lens.sensor.cropFactor)): "
                + faults(lens).joined(separator: ", "))
    }

    private static func object(_ lens: LensRecord) -> String {
        JSONWriter.line(
            [
                "name": lens.title,
                "mounts": lens.mounts.joined(separator: ", "),
                "crop": Double(lens.sensor.cropFactor),
                "corrects": faults(lens).joined(separator: ", "),
            ] as JSONFields)
    }
}
