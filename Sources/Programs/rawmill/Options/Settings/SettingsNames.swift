import Arguments
import Settings
internal import Spelling
import Telemetry

/// Checks the names in a settings file, so that a typing mistake is reported.
struct SettingsNames {
    private let program: Program

    init(_ program: Program) { self.program = program }

    func check(_ top: SettingsNode?) throws(SettingsError) {
        guard let top else { return }
        let global = Self.options(below: program.root).union(Self.options(program.shared))
        try check(top, options: global, commands: program.root.subcommands)
    }

    private func check(_ node: SettingsNode, options: Set<String>, commands: [Command]) throws(SettingsError) {
        guard case .map(let pairs) = node.content else {
            throw SettingsError("expected names with values, such as `broker: kafka://host:9092`", at: node.location)
        }
        for pair in pairs {
            let name = String(decoding: pair.key.scalar ?? [], as: UTF8.self)
            // `library` is an option and a group of commands. A map belongs to the group.
            if let command = commands.first(where: { $0.name == name }), isSection(pair.value, options, name) {
                let allowed = Self.options(below: command).union(Self.options(program.shared))
                try check(pair.value, options: allowed, commands: command.subcommands)
            } else if !options.contains(name) {
                throw SettingsError(unknown(name, options, commands), at: pair.key.location)
            }
        }
    }

    private func isSection(_ node: SettingsNode, _ options: Set<String>, _ name: String) -> Bool {
        if case .map = node.content { return true }
        return !options.contains(name)
    }

    private func unknown(_ name: String, _ options: Set<String>, _ commands: [Command]) -> String {
        let near = Suggestion.nearest(to: name, among: options.sorted() + commands.map(\.name))
        return "\(TerminalText.escape(name)) is not a setting" + (near.map { " (did you mean \($0)?)" } ?? "")
    }

    private static func options(_ parameters: [any AnyParameter]) -> Set<String> {
        Set(parameters.map(\.declaration).filter { !$0.isPositional }.map(\.name))
    }

    private static func options(below command: Command) -> Set<String> {
        command.subcommands.reduce(options(command.parameters)) { $0.union(options(below: $1)) }
    }
}
