/// A manual page, man(7), of a command.
public struct ManualPage: Hashable, Sendable {
    /// Command words joined by hyphens: `rawmill-library-list`.
    public let name: String
    /// roff source.
    public let text: String
    /// Section of the manual: user commands.
    public static let section = 1

    /// For example `rawmill-library-list.1`.
    public var fileName: String { "\(name).\(Self.section)" }
}

extension Program {
    /// Manual pages of the program and of each command that is not hidden.
    public var manual: [ManualPage] { ManualWriter.pages(of: self) }
}

/// Formats manual pages from the same declarations as the help.
private struct ManualWriter {
    let program: Program
    let path: [Command]

    static func pages(of program: Program) -> [ManualPage] {
        func visit(_ path: [Command]) -> [ManualPage] {
            let writer = ManualWriter(program: program, path: path)
            let below = writer.command.shownSubcommands.flatMap { visit(path + [$0]) }
            return [ManualPage(name: writer.name("-"), text: writer.text)] + below
        }
        return visit([program.root])
    }

    private var command: Command { path.last ?? program.root }

    private func name(_ separator: String) -> String { path.map(\.name).joined(separator: separator) }

    private var text: String {
        let title = name("-").uppercased()
        var lines = [
            ".TH \(quoted(title)) \(ManualPage.section) \"\" \(quoted("\(program.root.name) \(program.version)")) "
                + quoted("User Commands"),
            ".SH NAME", "\(escaped(name("-"))) \\- \(escaped(shortSummary))", ".SH SYNOPSIS",
            ".B \(escaped(name(" ")))",
        ]
        lines += synopsis + [".SH DESCRIPTION"] + paragraphs(command.summary) + paragraphs(command.discussion)
        lines += commands + parameters + examples + seeAlso
        return lines.joined(separator: "\n") + "\n"
    }

    private var shortSummary: String { ShellQuote.firstSentence(command.summary) }

    private var synopsis: [String] {
        var parts: [String] = []
        if command.action == nil { parts.append("\\fICOMMAND\\fR") }
        let shown = command.shownDeclarations
        parts += shown.filter(\.isPositional).map { declaration in
            let label = "\\fI\(escaped(declaration.label))\\fR"
            return declaration.isRequired ? label : "[\(label)]"
        }
        parts += shown.filter { !$0.isPositional && $0.isRequired }.map { signature($0) }
        if shown.contains(where: { !$0.isPositional && !$0.isRequired }) { parts.append("[\\fIOPTIONS\\fR]") }
        return parts
    }

    private var commands: [String] {
        let shown = command.shownSubcommands
        guard !shown.isEmpty else { return [] }
        return [".SH COMMANDS"]
            + shown.flatMap { item in
                [".TP", ".BR \(escaped("\(name("-"))-\(item.name)")) (\(ManualPage.section))", line(item.summary)]
            }
    }

    private var parameters: [String] {
        ParameterSections(
            of: path, in: program, help: [".TP", "\\fB\\-h\\fR, \\fB\\-\\-help\\fR", "Show this help."],
            version: [".TP", "\\fB\\-\\-version\\fR", "Show the version."], item: item
        ).sections.flatMap { [".SH \(quoted($0.title.uppercased()))"] + $0.lines }
    }

    private func item(_ declaration: Declaration) -> [String] {
        [".TP", signature(declaration), line(declaration.notedHelp)]
    }

    private func signature(_ declaration: Declaration) -> String {
        switch declaration.kind {
        case .positional: return "\\fI\(escaped(declaration.label))\\fR"
        case .flag: return dashed(declaration)
        case .option(let placeholder): return "\(dashed(declaration)) \\fI\(escaped(placeholder))\\fR"
        }
    }

    private func dashed(_ declaration: Declaration) -> String {
        let long = "\\fB\(escaped("--\(declaration.name)"))\\fR"
        return declaration.short.map { "\\fB\(escaped("-\($0)"))\\fR, \(long)" } ?? long
    }

    private var examples: [String] {
        guard !command.examples.isEmpty else { return [] }
        return [".SH EXAMPLES"]
            + command.examples.flatMap { example in
                [".PP", line("\(example.purpose):"), ".PP", ".RS 4", ".nf", line(example.line), ".fi", ".RE"]
            }
    }

    private var seeAlso: [String] {
        guard path.count > 1 else { return [] }
        let above = path.dropLast().map(\.name).joined(separator: "-")
        return [".SH \"SEE ALSO\"", ".BR \(escaped(above)) (\(ManualPage.section))"]
    }

    // MARK: roff

    private func paragraphs(_ text: String) -> [String] {
        let blocks = text.split(separator: "\n", omittingEmptySubsequences: false).split(separator: "")
        return blocks.flatMap { [".PP"] + $0.map { line(String($0)) } }
    }

    /// A text line, escaped if it would start a request.
    private func line(_ text: String) -> String {
        let escaped = escaped(text)
        return escaped.first == "." || escaped.first == "'" ? "\\&" + escaped : escaped
    }

    private func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\e"
            case "-": escaped += "\\-"
            case "`": escaped += "\\(ga"
            case "'": escaped += "\\(aq"
            case "^": escaped += "\\(ha"
            case "~": escaped += "\\(ti"
            case "\n": escaped += " "
            default: escaped.append(character)
            }
        }
    }

    private func quoted(_ text: String) -> String { "\"\(escaped(text.filter { $0 != "\"" }))\"" }
}
