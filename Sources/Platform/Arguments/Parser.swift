internal import Spelling

extension Program {
    /// Parses a command line.
    ///
    /// Options may come before, after and between words; `--` ends them. `--name value`, `--name=value`, `-n value`,
    /// `-nvalue` and `-n=value` are equivalent. Short flags can be bundled, ending in an option with a value: `-vj4`.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Throws: `UsageError` for a mistake in the command line, the environment or the settings file.
    public func parse(
        _ arguments: [[UInt8]], environment: @escaping (String) -> [UInt8]? = { _ in nil },
        settings: SettingsOpener = { (_) throws(UsageError) in nil }
    ) throws(UsageError) -> Invocation {
        var parser = Parser(program: self, arguments: arguments)
        do throws(UsageError) {
            return try parser.invocation(environment, settings)
        } catch {
            var placed = error
            placed.command = parser.path.map(\.name)
            throw placed
        }
    }
}

struct Parser {
    private let program: Program
    private(set) var path: [Command]
    private var rest: ArraySlice<[UInt8]>
    private var given: [String: [RawArgument]] = [:]
    private var words: [[UInt8]] = []
    private var request: Request?

    private enum Request {
        case help, version
    }

    init(program: Program, arguments: [[UInt8]]) {
        self.program = program
        self.path = [program.root]
        self.rest = arguments[...]
    }

    private var command: Command { path[path.count - 1] }

    private var declarations: [Declaration] {
        (command.parameters + program.shared).map(\.declaration)
    }

    mutating func invocation(
        _ environment: @escaping (String) -> [UInt8]?, _ settings: Program.SettingsOpener
    ) throws(UsageError) -> Invocation {
        var optionsEnded = false
        while let argument = rest.popFirst() {
            if optionsEnded || !looksLikeOption(argument) {
                try take(word: argument)
            } else if argument == Array("--".utf8) {
                optionsEnded = true
            } else {
                try take(option: argument)
            }
            // `--help` works despite later mistakes.
            switch request {
            case .help: return .help(path)
            case .version: return .version
            case nil: break
            }
        }
        return try finished(environment, settings)
    }

    /// A lone `-` and a negative number are words, so short options cannot be digits.
    private func looksLikeOption(_ argument: [UInt8]) -> Bool {
        argument.count > 1 && argument[0] == UInt8(ascii: "-") && !Self.isNumber(argument)
    }

    private static func isNumber(_ argument: [UInt8]) -> Bool {
        guard let second = argument.dropFirst().first, second == 0x2E || (0x30...0x39).contains(second) else {
            return false
        }
        return Double(String(decoding: argument, as: UTF8.self)) != nil
    }

    private mutating func take(word: [UInt8]) throws(UsageError) {
        guard command.action == nil else { return words.append(word) }
        let name = String(decoding: word, as: UTF8.self)
        guard let next = command.subcommands.first(where: { $0.name == name }) else {
            throw UsageError(.unknownCommand(UsageError.shown(word), near: command.nearest(to: name)))
        }
        path.append(next)
    }

    private mutating func take(option argument: [UInt8]) throws(UsageError) {
        let dash = UInt8(ascii: "-")
        if argument[1] == dash {
            try take(long: argument.dropFirst(2))
        } else {
            try take(bundle: argument.dropFirst())
        }
    }

    private mutating func take(long body: ArraySlice<UInt8>) throws(UsageError) {
        let equals = body.firstIndex(of: UInt8(ascii: "="))
        let name = String(decoding: body[..<(equals ?? body.endIndex)], as: UTF8.self)
        let attached = equals.map { Array(body[($0 + 1)...]) }
        if let declaration = declarations.first(where: { !$0.isPositional && $0.name == name }) {
            return try record(declaration, attached: attached)
        }
        if name == "help" {
            request = .help
            return
        }
        if name == "version", path.count == 1 {
            request = .version
            return
        }
        throw unknown("--\(UsageError.shown(Array(name.utf8)))", name: name)
    }

    private mutating func take(bundle: ArraySlice<UInt8>) throws(UsageError) {
        var letters = bundle
        while let letter = letters.popFirst() {
            let character = Character(Unicode.Scalar(letter))
            guard let declaration = declarations.first(where: { $0.short == character }) else {
                if character == "h" {
                    request = .help
                    return
                }
                throw unknown("-\(UsageError.shown([letter]))", name: String(decoding: bundle, as: UTF8.self))
            }
            guard declaration.takesValue else {
                try record(declaration, attached: nil)
                continue
            }
            let value = letters.first == UInt8(ascii: "=") ? letters.dropFirst() : letters
            return try record(declaration, attached: letters.isEmpty ? nil : Array(value))
        }
    }

    private func unknown(_ shown: String, name: String) -> UsageError {
        let names = declarations.filter { !$0.isPositional && !$0.isHidden }.map(\.name) + ["help"]
        return UsageError(
            .unknownOption(shown, near: Suggestion.nearest(to: name, among: names).map { "--\($0)" }))
    }

    private mutating func record(_ declaration: Declaration, attached: [UInt8]?) throws(UsageError) {
        guard declaration.takesValue else {
            if attached != nil { throw UsageError(.unwantedValue(declaration)) }
            given[declaration.name, default: []].append(RawArgument(bytes: [], location: declaration.label))
            return
        }
        let value: [UInt8] = if let attached { attached } else { try nextValue(declaration) }
        given[declaration.name, default: []].append(RawArgument(bytes: value, location: declaration.label))
    }

    /// Takes the next argument as the value, unless it looks like an option: the value is then probably missing.
    private mutating func nextValue(_ declaration: Declaration) throws(UsageError) -> [UInt8] {
        guard let next = rest.first else { throw UsageError(.missingValue(declaration, next: nil)) }
        if looksLikeOption(next) { throw UsageError(.missingValue(declaration, next: UsageError.shown(next))) }
        rest.removeFirst()
        return next
    }

    private mutating func finished(
        _ environment: @escaping (String) -> [UInt8]?, _ settings: Program.SettingsOpener
    ) throws(UsageError) -> Invocation {
        guard let action = command.action else { return .help(path) }
        try assignWords()
        let file = try settings { self.early($0, environment) }
        var values: [String: any Sendable] = [:]
        var origins: [String: RawArgument.Origin] = [:]
        for parameter in command.parameters + program.shared {
            let declaration = parameter.declaration
            let found = try found(declaration, environment, file)
            values[declaration.name] = try parameter.evaluate(found)
            origins[declaration.name] = found.last?.origin
        }
        return .run(action, ArgumentValues(command: path.map(\.name), byName: values, origins: origins))
    }

    /// The value of a global option before the settings file is open.
    private func early(_ name: String, _ environment: @escaping (String) -> [UInt8]?) -> [UInt8]? {
        let declaration = program.shared.map(\.declaration).first { $0.name == name }
        return given[name]?.last?.bytes ?? declaration.flatMap { Self.variable($0, environment).last?.bytes }
    }

    /// The arguments for a parameter. The command line overrides the environment, which overrides the settings file. A
    /// collected option uses all three.
    private func found(
        _ declaration: Declaration, _ environment: @escaping (String) -> [UInt8]?, _ file: (any SettingsSource)?
    ) throws(UsageError) -> [RawArgument] {
        let words = given[declaration.name] ?? []
        if !words.isEmpty, !declaration.isCollected { return words }
        let variable = Self.variable(declaration, environment)
        if !variable.isEmpty, !declaration.isCollected { return variable }
        let settings = declaration.isPositional ? [] : try file?.given(declaration, of: path.map(\.name)) ?? []
        return settings + variable + words
    }

    private static func variable(_ declaration: Declaration, _ environment: @escaping (String) -> [UInt8]?)
        -> [RawArgument]
    {
        guard let name = declaration.environment, let bytes = environment(name), !bytes.isEmpty else { return [] }
        let parts = declaration.isCollected ? bytes.split(separator: UInt8(ascii: ";")).map(Array.init) : [bytes]
        return parts.map { RawArgument(bytes: $0, location: name, origin: .environment) }
    }

    private mutating func assignWords() throws(UsageError) {
        var left = words[...]
        for declaration in command.parameters.map(\.declaration) where declaration.isPositional {
            let count = declaration.repeats ? left.count : min(1, left.count)
            given[declaration.name] = left.prefix(count).map { RawArgument(bytes: $0, location: declaration.label) }
            left = left.dropFirst(count)
        }
        if let surplus = left.first { throw UsageError(.surplus(UsageError.shown(surplus))) }
    }
}
