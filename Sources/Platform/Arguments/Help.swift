extension Program {
    /// Help of the last command in a path from the root; an empty path is the root. `columns` is at least 40.
    public func help(for path: [Command], columns: Int = 80) -> String {
        Help(program: self, path: path, width: max(40, columns)).text
    }
}

struct Help {
    let program: Program
    let path: [Command]
    let width: Int
    private static let leftWidth = 28

    private var command: Command { path.last ?? program.root }
    private var name: String { path.map(\.name).joined(separator: " ") }

    var text: String {
        var sections = [LineWrapper.lines(command.summary, columns: width), usage]
        sections += commands + options + [examples]
        if !command.discussion.isEmpty { sections.append(LineWrapper.lines(command.discussion, columns: width)) }
        if !command.shownSubcommands.isEmpty {
            sections.append(LineWrapper.lines("`\(name) COMMAND --help` shows the help of a command.", columns: width))
        }
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }

    private var usage: [String] {
        var parts = [name]
        if command.action == nil { parts.append("COMMAND") }
        let shown = command.shownDeclarations
        parts += shown.filter { $0.isPositional }.map { $0.isRequired ? $0.label : "[\($0.label)]" }
        parts += shown.filter { !$0.isPositional && $0.isRequired }.map(\.plainSignature)
        if shown.contains(where: { !$0.isPositional && !$0.isRequired }) { parts.append("[OPTIONS]") }
        return LineWrapper.lines("Usage: " + parts.joined(separator: " "), columns: width)
    }

    private var commands: [[String]] {
        command.sections.compactMap { section in
            let shown = section.commands.filter { !$0.isHidden }
            return shown.isEmpty ? nil : ["\(section.title):"] + shown.flatMap { row("  \($0.name)", $0.summary) }
        }
    }

    private var options: [[String]] {
        ParameterSections(
            of: path, in: program, help: row("  -h, --help", "Show this help."),
            version: row("      --version", "Show the version."), item: row
        ).sections.map { ["\($0.title):"] + $0.lines }
    }

    private func row(_ declaration: Declaration) -> [String] {
        row("  \(declaration.signature)", declaration.notedHelp)
    }

    private func row(_ left: String, _ right: String) -> [String] {
        LineWrapper.columns(left, right, leftWidth: min(Self.leftWidth, width / 2), width: width)
    }

    private var examples: [String] {
        if command.examples.isEmpty { return [] }
        return ["Examples:"] + command.examples.flatMap { ["  # \($0.purpose)", "  \($0.line)"] }
    }
}
