import Arguments
import CommandLineTool
import Coordinator
import Digest
import Jobs
import Looks
import Telemetry

enum LooksCommand {
    static let group: Command = Command(
        "looks", summary: "List, import, export and compare looks.",
        subcommands: [
            list, show, LooksImportCommand.command, LooksTableCommands.export, LooksLintCommand.command,
            LooksTableCommands.identity, LooksSheetCommands.sheet, LooksSheetCommands.compare, schema,
        ])

    static let json: Parameter<Bool> = .flag("json", help: "Write one JSON object per line.")
    static let name: Parameter<PathArgument> = .positional(
        "NAME", completion: .words(LookSelection.builtInNames),
        help: "Look as for --look: NAME, NAME@VERSION, a file, or a chain.")

    private static let list: Command = Command(
        "list",
        summary: "List Rawmill's looks, imported looks, and with --library its own.",
        parameters: [StatusCommand.library, json]
    ) { values in
        let own = try await ownLooks(values)
        let imported = try LookFolder()?.entries() ?? []
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
        for entry in imported {
            // A damaged look does not hide the others.
            let look = try? LookFolder()?.read(entry).0
            let plain = "\(entry.identifier)  \(TerminalText.escape(look?.summary ?? "unreadable"))"
            if let look, values[json] {
                TextOutput.standardOutput.write(line: object(look, own: true))
            } else if !values[json] {
                TextOutput.standardOutput.write(line: plain)
            }
        }
        for reference in own.references {
            let summary = LibraryLook.summary(reference, library: own.library)
            let plain = "\(reference)  \(TerminalText.escape(summary))"
            TextOutput.standardOutput.write(line: values[json] ? object(reference, summary) : plain)
        }
        return ExitStatus.done
    }

    /// The looks that the library received as files: each can be named again.
    private static func ownLooks(
        _ values: ArgumentValues
    ) async throws -> (library: String, references: [LookReference]) {
        guard let library = values[StatusCommand.library], let ledger = try Ledger.existing(library: library) else {
            return ("", [])
        }
        return (library, try await ledger.perform { try $0.looks.all() })
    }

    private static func object(_ effect: CoreImageEffects.Description) -> String {
        JSONWriter.line(
            [
                "effect": effect.name,
                "summary": effect.summary,
                "usage": effect.usage,
            ] as JSONFields)
    }

    private static func object(_ look: LookReference, _ summary: String) -> String {
        JSONWriter.line(
            [
                "name": look.name,
                "version": look.version,
                "own": true,
                "summary": summary,
                "sha256": look.digest.description,
            ] as JSONFields)
    }

    private static let schema: Command = Command(
        "schema", summary: "Print the JSON schema of looks in YAML, for editors."
    ) { _ in
        let lines = LookSchema.text.split(separator: "\n")
        for line in lines { TextOutput.standardOutput.write(line: String(line)) }
        return ExitStatus.done
    }

    private static let show: Command = Command(
        "show", summary: "Show one look.", parameters: [name, StatusCommand.library, json]
    ) { values in
        let look = try await LookSelection(
            values[name], LookAdjustments(), library: values[StatusCommand.library],
            source: SettingSource(values.command)
        ).look
        let lines = [
            look.identifier, "  \(TerminalText.escape(look.summary))", "  input      \(look.input.rawValue) values",
            "  SHA-256    \(look.digest)",
        ]
        TextOutput.standardOutput.write(line: values[json] ? object(look) : lines.joined(separator: "\n"))
        return ExitStatus.done
    }

    static func object(_ look: Look, own: Bool = false) -> String {
        let origin: JSONFields = own ? ["own": true] : [:]
        return JSONWriter.line(
            ["name": look.name, "version": look.version] + origin
                + ["summary": look.summary, "input": look.input.rawValue, "sha256": look.digest.description])
    }
}
