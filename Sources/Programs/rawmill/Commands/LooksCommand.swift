import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Looks
import Telemetry

/// `rawmill looks list|show`.
enum LooksCommand {
    static let group: Command = Command(
        "looks", summary: "Shows the looks that photos can have.", subcommands: [list, show])

    static let json: Parameter<Bool> = .flag("json", help: "Writes one JSON object per line.")
    static let name: Parameter<String> = .positional(
        "NAME", completion: .words(LookCatalogue.builtIn.looks.map(\.name)), help: "NAME or NAME@VERSION.")

    private static let list: Command = Command(
        "list", summary: "Lists the looks that come with Rawmill, and with --library those it got as files.",
        parameters: [StatusCommand.library, json]
    ) { values in
        let own = try await ownLooks(values)
        let looks = LookCatalogue.builtIn.looks
        let width = looks.map(\.identifier.count).max() ?? 0
        for look in looks {
            let padding = String(repeating: " ", count: width - look.identifier.count + 2)
            let plain = look.identifier + padding + look.summary
            TextOutput.standardOutput.write(line: values[json] ? object(look) : plain)
        }
        for effect in CoreImageEffects.list {
            TextOutput.standardOutput.write(line: values[json] ? object(effect) : "\(effect.usage)  \(effect.summary)")
        }
        for look in own {
            let plain = "\(look)  a look of your own"
            TextOutput.standardOutput.write(line: values[json] ? object(look) : plain)
        }
        return ExitStatus.done
    }

    /// The looks that the library got as files: each can be named again.
    private static func ownLooks(_ values: ArgumentValues) async throws -> [LookReference] {
        guard let library = values[StatusCommand.library], let ledger = try Ledger.existing(library: library) else {
            return []
        }
        return try await ledger.perform { try $0.looks.all() }
    }

    private static func object(_ effect: CoreImageEffects.Description) -> String {
        JSONWriter.line { json in
            json.field("effect", effect.name)
            json.field("summary", effect.summary)
            json.field("usage", effect.usage)
        }
    }

    private static func object(_ look: LookReference) -> String {
        JSONWriter.line { json in
            json.field("name", look.name)
            json.field("version", look.version)
            json.field("own", true)
            json.field("sha256", look.digest.description)
        }
    }

    private static let show: Command = Command(
        "show", summary: "Shows one look.", parameters: [name, json]
    ) { values in
        let look: Look
        do throws(UnknownLook) {
            look = try LookCatalogue.builtIn.look(values[name])
        } catch {
            throw UsageError("\(TerminalText.escape(error.description)).", command: values.command)
        }
        let lines = [
            look.identifier, "  \(look.summary)", "  made for   \(look.input.rawValue) values",
            "  SHA-256    \(look.digest)",
        ]
        TextOutput.standardOutput.write(line: values[json] ? object(look) : lines.joined(separator: "\n"))
        return ExitStatus.done
    }

    private static func object(_ look: Look) -> String {
        JSONWriter.line { json in
            json.field("name", look.name)
            json.field("version", look.version)
            json.field("summary", look.summary)
            json.field("input", look.input.rawValue)
            json.field("sha256", look.digest.description)
        }
    }
}
