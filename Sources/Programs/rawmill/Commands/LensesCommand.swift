import Arguments
import CommandLineTool
import LensDatabase
import Lenses
import Storage
import Telemetry

/// `rawmill lenses list|update`.
enum LensesCommand {
    static let group: Command = Command(
        "lenses", summary: "Shows the lenses that can be corrected, and brings a library's table of them up to date.",
        subcommands: [list, update])

    private static let json: Parameter<Bool> = .flag("json", help: "Writes one JSON object per line.")
    private static let words: Parameter<[String]> = .positionals(
        "WORD", atLeastOne: false, help: "Only lenses whose name has all of these words.")

    private static let list: Command = Command(
        "list", summary: "Lists lenses with what can be corrected of each.",
        discussion: """
            With --library those of the library's table, else those of this machine's Lensfun database, which a new library \
            gets.
            """,
        parameters: [StatusCommand.library, words, json]
    ) { values in
        let table: LensTable
        if let library = values[StatusCommand.library] {
            guard let found = try LensTableSelection.table(in: try Root(path: library)) else {
                throw CommandFailure("the library \(library) has no lens table. `rawmill lenses update` gives it one.")
            }
            table = found
        } else {
            guard let found = try LensTableCache.user.table(isKept: true)?.table() else { throw noDatabase }
            table = found
        }
        let wanted = values[words].map { $0.lowercased() }
        for lens in table.lenses {
            let name = lens.title.lowercased()
            guard wanted.allSatisfy({ name.contains($0) }) else { continue }
            TextOutput.standardOutput.write(line: values[json] ? object(lens) : text(lens))
        }
        return ExitStatus.done
    }

    private static let update: Command = Command(
        "update", summary: "Gives a library this machine's Lensfun database.",
        discussion: """
            A library keeps the lens table that it got first, so that all of its photos are corrected alike. After an update \
            the next order is another recipe: photos are developed again.
            """,
        parameters: [requiredLibrary]
    ) { values in
        let library = try Root(path: values[requiredLibrary])
        let before = try LensTableSelection.current(in: library)
        guard let digest = try LensTableSelection.update(library) else { throw noDatabase }
        let text =
            before == digest ? "The library has this machine's lens table already." : "The library's lens table is now"
        TextOutput.standardOutput.write(line: before == digest ? text : "\(text) \(digest).")
        return ExitStatus.done
    }

    private static let requiredLibrary: Parameter<String> = .required(
        "library", short: "l", "DIR", must: Rule("a path, and not empty") { !$0.isEmpty },
        environment: "RAWMILL_LIBRARY", completion: .folders, help: "The library's folder.")

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
