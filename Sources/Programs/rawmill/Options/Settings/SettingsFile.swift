import Arguments
import Settings

/// The settings file of a command. Settings at its top apply to every command; those under a command's name apply to
/// that command, and take precedence.
///
///     broker: kafka://kafka-1:9092,kafka-2:9092
///     root:
///       archive: /mnt/archive
///       library: /mnt/library
///     worker:
///       jobs: 8
struct SettingsFile: SettingsSource {
    private let top: SettingsNode?
    private let program: Program

    /// - Throws: `SettingsError` with line and column if the file is not YAML, or contains an unknown name.
    init(_ bytes: [UInt8], file: String, program: Program) throws(SettingsError) {
        top = try YAMLFile.read(bytes, file: file)
        self.program = program
        try SettingsNames(program).check(top)
    }

    func given(_ declaration: Declaration, of command: [String]) throws(UsageError) -> [RawArgument] {
        let section = section(of: command)
        let here = value(declaration.name, in: section)
        let above = value(declaration.name, in: top)
        var given: [RawArgument] = []
        for node in declaration.isCollected ? [above, here] : [here ?? above] {
            if let node { given += try self.given(node, declaration) }
        }
        return given
    }

    /// `library: {verify: …}` is the section of `rawmill library verify`.
    private func section(of command: [String]) -> SettingsNode? {
        command.dropFirst().reduce(top) { node, name in value(name, in: node) }
    }

    private func value(_ name: String, in node: SettingsNode?) -> SettingsNode? {
        guard case .map(let pairs)? = node?.content else { return nil }
        return pairs.first { $0.key.scalar == Array(name.utf8) }?.value
    }

    private func given(_ node: SettingsNode, _ declaration: Declaration) throws(UsageError) -> [RawArgument] {
        let location = "\(declaration.name) (\(node.location))"
        switch node.content {
        case .scalar(let bytes): return try given(bytes, declaration, location)
        case .list(let nodes) where declaration.isCollected:
            var all: [RawArgument] = []
            for node in nodes { all += try given(node, declaration) }
            return all
        case .map(let pairs) where declaration.isCollected:
            var all: [RawArgument] = []
            for pair in pairs {
                guard let name = pair.key.scalar, let value = pair.value.scalar else {
                    throw UsageError("\(location) must be names, each with one value.")
                }
                let whole = name + [UInt8(ascii: "=")] + value
                all.append(
                    RawArgument(bytes: whole, location: "\(declaration.name) (\(pair.value.location))", origin: .file))
            }
            return all
        case .list, .map: throw UsageError("\(location) must be one value.")
        }
    }

    /// A switch is on or off.
    private func given(_ bytes: [UInt8], _ declaration: Declaration, _ location: String) throws(UsageError)
        -> [RawArgument]
    {
        let given = RawArgument(bytes: bytes, location: location, origin: .file)
        if declaration.takesValue { return [given] }
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "true", "yes", "on": return [given]
        case "false", "no", "off": return []
        default: throw UsageError("\(location) must be true or false.")
        }
    }
}
