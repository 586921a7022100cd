import Arguments
import CommandLineTool
import Digest
import Jobs
internal import LibraryTables
import PhotoTree
import Selection
import Serving
import Storage
import Telemetry

enum LibraryShowCommand {
    static let name: Parameter<String> = .positional(
        "ASSET", completion: .files,
        help: "Asset id (its first four or more digits), or path of one of its files in the library.")

    static let command: Command = Command(
        "show", summary: "Show an asset: its photos, RAW and preview, and the recipe of each edit.",
        examples: [.init("rawmill library show 3fa2 --library film", "the asset whose id begins with 3fa2")],
        parameters: [name, LibraryOption.parameter, LibraryOption.json]
    ) { values in
        let shown = TerminalText.escape(values[name])
        let folder = values[LibraryOption.parameter]
        guard let assetName = AssetName(below(folder, values[name])) else {
            throw UsageError("\"\(shown)\" is neither an id nor a path below the library.", command: values.command)
        }
        switch try LibraryStore(folder: folder, mode: .read).assets.find(assetName) {
        case .none:
            throw CommandFailure(
                "there is no asset \"\(shown)\" in \(folder): give at least four digits of its id, or the path of one of "
                    + "its files. `rawmill library list` shows all.")
        case .ambiguous(let assets):
            let ids = assets.map { String($0.description.prefix(16)) }.joined(separator: ", ")
            throw CommandFailure("\"\(shown)\" matches several ids: \(ids). Give more digits.")
        case .found(let frames):
            let edits = EditStore(in: try Root(path: folder))
            for frame in frames {
                let text = values[LibraryOption.json] ? AssetReport.json(frame, edits) : AssetReport.text(frame, edits)
                TextOutput.standardOutput.write(line: text)
            }
        }
        return ExitStatus.done
    }

    /// Cuts a path to the part below the library: shells complete it through the folder, and reports begin it with the
    /// root's name.
    static func below(_ folder: String, _ name: String) -> String {
        let prefixes = [folder.last == "/" ? folder : folder + "/", "\(RootName.library)/"]
        let prefix = prefixes.first { name.utf8.starts(with: $0.utf8) }
        return prefix.map { String(name.dropFirst($0.count)) } ?? name
    }
}
