import Arguments
import Clock
import CommandLineTool
import Jobs
internal import LibraryTables
import PhotoTree
internal import Selection
import Serving
import Storage
import Telemetry

/// `rawmill drops …`: the imports made on a library's page, each a drop of several photos.
enum DropsCommand {
    static let group: Command = Command(
        "drops", summary: "List the imports made on a library's page, and their results.",
        subcommands: [list, show])

    private static let name: Parameter<String> = .positional(
        "DROP", help: "Id of the drop (its first characters), or its title.")
    private static let everything: Parameter<Bool> = .flag(
        "all", help: "List all files in order, not only those that were not imported.")

    private static let list: Command = Command(
        "list", summary: "List drops, newest first.",
        parameters: [LibraryOption.parameter, LibraryOption.json]
    ) { values in
        let drops = try store(values).all
        if drops.isEmpty { EmptyList.note("The library has no drops.", isText: !values[LibraryOption.json]) }
        for drop in drops { write(drop, values) }
        return ExitStatus.done
    }

    private static let show: Command = Command(
        "show", summary: "Show a drop: its photos, and the files that were not imported, with reasons.",
        discussion: """
            Exit status: 0 all files are imported or in progress, 3 some were not imported.
            """,
        examples: [.init("rawmill drops show \"Card 1\" --library film", "the newest drop of that title")],
        parameters: [name, LibraryOption.parameter, everything, LibraryOption.json]
    ) { values in
        let wanted = values[name]
        let drops = try store(values).all
        let named = drops.first { $0.title == wanted }
        let found = named.map { [$0] } ?? drops.filter { !wanted.isEmpty && $0.id.hasPrefix(wanted) }
        guard let drop = found.first, found.count == 1 else {
            let problem = found.isEmpty ? "is not a drop of this library" : "matches several ids"
            throw CommandFailure(
                "\"\(TerminalText.escape(wanted))\" \(problem): `rawmill drops list` shows all.")
        }
        write(drop, values)
        let library = try LibraryStore(folder: values[LibraryOption.parameter], mode: .read)
        for file in drop.ordered where values[everything] || values[LibraryOption.json] || file.state == .refused {
            try write(file, values, library)
        }
        if !values[LibraryOption.json], let sentence = drop.sentence {
            TextOutput.standardOutput.write(line: sentence)
        }
        return drop.count(.refused) == 0 ? ExitStatus.done : ExitStatus.someFailed
    }

    private static func store(_ values: ArgumentValues) throws -> DropStore {
        let folder = values[LibraryOption.parameter]
        // The folder of a missing mount is not a library.
        _ = try LibraryStore(folder: folder, mode: .read)
        return try DropStore(in: Root(path: folder))
    }

    private static func write(_ drop: Drop, _ values: ArgumentValues) {
        let time = WallClock.text(milliseconds: drop.createdMilliseconds)
        guard !values[LibraryOption.json] else {
            return TextOutput.standardOutput.write(
                event: "drop",
                [
                    "drop": drop.id,
                    "title": drop.title,
                    "created": time,
                    "look": drop.look,
                    "expected": drop.expected,
                    "done": drop.count(.done),
                    "refused": drop.count(.refused),
                    "waiting": drop.openCount,
                    "album": drop.album,
                    "sentence": drop.sentence,
                ])
        }
        let parts = [
            "\(drop.count(.done)) of \(drop.expected) imported",
            drop.count(.refused) > 0 ? "\(drop.count(.refused)) not" : nil,
            drop.openCount > 0 ? "\(drop.openCount) in progress" : nil,
        ].compactMap(\.self)
        TextOutput.standardOutput.write(
            line: TerminalText.escape(
                "\(drop.id.prefix(8))  \(time.prefix(19))Z  \(drop.look)  \(drop.title): \(parts.joined(separator: ", "))"
            ))
    }

    private static func write(_ file: DroppedFile, _ values: ArgumentValues, _ library: LibraryStore) throws {
        let photos = file.state == .done ? try file.photos(in: library).map(\.path) : []
        let name = file.folder.isEmpty ? file.name : "\(file.folder)/\(file.name)"
        guard !values[LibraryOption.json] else {
            return TextOutput.standardOutput.write(
                event: "file",
                [
                    "index": file.index,
                    "name": name,
                    "state": file.state.rawValue,
                    "reason": file.reason,
                    "message": file.message,
                    "remedy": file.remedy,
                    "photos": photos.map { String(decoding: $0.bytes, as: UTF8.self) },
                ])
        }
        let said =
            switch file.state {
            case .done:
                photos.isEmpty ? "imported; its photo was removed" : photos.map { "\($0)" }.joined(separator: ", ")
            case .refused:
                [file.reason.map { "\($0):" }, file.message, file.remedy].compactMap(\.self).joined(separator: " ")
            default: file.state.rawValue
            }
        TextOutput.standardOutput.write(line: TerminalText.escape("  \(file.index + 1)  \(name): \(said)"))
    }
}
