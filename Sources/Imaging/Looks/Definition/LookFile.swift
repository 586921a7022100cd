import Settings

/// Reads looks in YAML, as users write them or as ``LookDefinition/bytes`` does.
///
/// The bytes are untrusted. libyaml splits them into scalars with positions; everything else is checked here.
public enum LookFile {
    /// Ends the YAML; the bytes of tables follow.
    static let mark = Array("...\n".utf8)
    /// Beginning of a look, after comments and blank lines.
    private static let firstKey = Array("rawmill-look:".utf8)
    /// Limit of the text; a look has a few lines.
    private static let maxTextBytes = 1 << 16

    /// Whether bytes are a look in YAML, not a table.
    public static func isDefinition(_ bytes: [UInt8]) -> Bool {
        var place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while place < min(bytes.count, maxTextBytes) {
            if bytes[place...].starts(with: firstKey) { return true }
            let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.count
            let first = bytes[place..<end].first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }
            guard first == nil || first == 0x23 || bytes[place..<end].starts(with: Array("---".utf8)) else {
                return false
            }
            place = end + 1
        }
        return false
    }

    /// Options of `looks import` that override the file.
    public struct Changes: Hashable, Sendable {
        /// `a-z 0-9 -`, at most 64 characters.
        public var name: String?
        /// From 1.
        public var version: UInt32?
        /// One sentence for users.
        public var summary: String?

        /// Creates changes from name, version and summary.
        public init(name: String? = nil, version: UInt32? = nil, summary: String? = nil) {
            self.name = name
            self.version = version
            self.summary = summary
        }
    }

    /// The self-contained bytes of a look from a user's file.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - changes: values that override the file's.
    ///   - table: reads the table at a path.
    /// - Returns: what ``Look/init(file:fileName:)`` reads.
    /// - Throws: `LookError` with line and column.
    public static func whole(
        _ bytes: [UInt8], changes: Changes = Changes(), table: (String) throws(LookError) -> [UInt8]
    ) throws(LookError) -> [UInt8] {
        let read = try definition(bytes, table: table)
        let definition = LookDefinition(
            name: changes.name ?? read.name, version: changes.version ?? read.version,
            summary: changes.summary ?? read.summary, steps: read.steps)
        _ = try Look(definition)
        return definition.bytes
    }

    /// The self-contained bytes of a look that is one table.
    ///
    /// - Parameters:
    ///   - table: the bytes of a `.cube` file or Hald picture.
    ///   - name: `a-z 0-9 -`, at most 64 characters.
    ///   - version: from 1.
    ///   - summary: one sentence for users.
    ///   - space: input colours of the table.
    /// - Returns: what ``Look/init(file:fileName:)`` reads.
    /// - Throws: `LookError` with problem and place.
    public static func whole(
        table: [UInt8], name: String, version: UInt32, summary: String, space: TableSpace
    ) throws(LookError) -> [UInt8] {
        let definition = LookDefinition(
            name: name, version: version, summary: summary,
            steps: [LookStep(material: .table(table, space), parameters: [:])])
        _ = try Look(definition)
        return definition.bytes
    }

    static func definition(
        _ bytes: [UInt8], table: (String) throws(LookError) -> [UInt8]
    ) throws(LookError) -> LookDefinition {
        let text = text(bytes)
        guard text.count <= maxTextBytes else {
            throw LookError("it has more than \(maxTextBytes >> 10) KB of text; a look has a few lines")
        }
        let root: SettingsNode?
        do throws(SettingsError) { root = try YAMLFile.read(Array(text), file: "") } catch {
            throw LookError(error.message, at: error.location)
        }
        guard let root, case .map(let pairs) = root.content else {
            throw LookError("it is not a look: write rawmill-look: 1, name, summary and steps")
        }
        var reading = Reading(pairs: pairs, rest: bytes[min(text.endIndex + mark.count, bytes.endIndex)...])
        return try reading.definition(table)
    }

    /// The text before the mark.
    private static func text(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: mark) { return bytes[..<place] }
            guard let end = bytes[place...].firstIndex(of: 0x0A) else { break }
            place = end + 1
        }
        return bytes[...]
    }

    private struct Reading {
        let pairs: [SettingsNode.Pair]
        var rest: ArraySlice<UInt8>

        private static let keys = ["rawmill-look", "name", "version", "summary", "steps"]

        mutating func definition(
            _ table: (String) throws(LookError) -> [UInt8]
        ) throws(LookError) -> LookDefinition {
            guard let form = value("rawmill-look") else { throw LookError("it does not begin with rawmill-look: 1") }
            guard form.word == LookDefinition.formVersion else {
                throw LookError(
                    "rawmill-look is \(form.shown), and this Rawmill reads \(LookDefinition.formVersion). "
                        + "Write 1, or upgrade Rawmill", at: form.location)
            }
            for pair in pairs where !Self.keys.contains(pair.key.word) {
                throw LookError(
                    "a look has no \(pair.key.shown); it has \(Self.keys.joined(separator: ", "))",
                    at: pair.key.location)
            }
            guard let name = value("name") else { throw LookError("it has no name: write name: evening") }
            guard !name.word.isEmpty, Look.name(fromFile: name.word) == name.word else {
                throw LookError("a name has 1 to 64 of a-z, 0-9 and -; this is \(name.shown)", at: name.location)
            }
            let summary = value("summary")
            if let summary, summary.scalar == nil {
                throw LookError("a summary must be a single text", at: summary.location)
            }
            return LookDefinition(
                name: name.word, version: try version(), summary: summary?.word ?? "A look of your own.",
                steps: try steps(table))
        }

        private func value(_ key: String) -> SettingsNode? { pairs.first { $0.key.word == key }?.value }

        private func version() throws(LookError) -> UInt32? {
            guard let node = value("version") else { return nil }
            guard let version = UInt32(node.word), (1...LookFile.maxVersion).contains(version) else {
                throw LookError(
                    "a version is a whole number from 1 to \(LookFile.maxVersion); this is \(node.shown)",
                    at: node.location)
            }
            return version
        }

        private mutating func steps(_ table: (String) throws(LookError) -> [UInt8]) throws(LookError) -> [LookStep] {
            guard let node = value("steps") else { throw LookError("it has no steps: write them below steps:") }
            guard case .list(let nodes) = node.content, !nodes.isEmpty else {
                throw LookError(
                    "steps are a list: begin each with \"- look:\", \"- effect:\" or \"- table:\"", at: node.location)
            }
            guard nodes.count <= LookDefinition.maxSteps else {
                throw LookError("a look has at most \(LookDefinition.maxSteps) steps", at: node.location)
            }
            var steps: [LookStep] = []
            for node in nodes {
                let step = try step(node, table)
                do throws(LookError) {
                    if case .film = try step.made(), !steps.isEmpty {
                        throw LookError("a film comes first, and only one is possible: it renders the scene's light")
                    }
                } catch { throw LookError(error.description, at: Self.location(of: error.parameter, in: node)) }
                steps.append(step)
            }
            return steps
        }

        /// Location of a step's parameter; of the step itself for nil.
        private static func location(of parameter: String?, in step: SettingsNode) -> SettingsLocation {
            guard let parameter, case .map(let pairs) = step.content else { return step.location }
            return pairs.first { $0.key.word == parameter }?.key.location ?? step.location
        }

        private mutating func step(
            _ node: SettingsNode, _ table: (String) throws(LookError) -> [UInt8]
        ) throws(LookError) -> LookStep {
            guard case .map(let pairs) = node.content else {
                throw LookError("a step begins with look:, effect: or table:", at: node.location)
            }
            let materials = pairs.filter { ["look", "effect", "table"].contains($0.key.word) }
            guard let first = materials.first, materials.count == 1 else {
                throw LookError(
                    materials.isEmpty
                        ? "a step begins with look:, effect: or table:"
                        : "a step is one look, effect or table: begin another with -", at: node.location)
            }
            var parameters: [String: [Double]] = [:]
            var space: TableSpace?
            for pair in pairs where pair.key != first.key {
                if pair.key.word == "input-space" {
                    space = try Self.space(pair, isTable: first.key.word == "table")
                } else {
                    parameters[pair.key.word] = try Self.numbers(pair)
                }
            }
            let material: LookStep.Material =
                switch first.key.word {
                case "look": .look(try Self.name(first.value))
                case "effect": .effect(try Self.effect(first.value))
                default: .table(try bytes(first.value, table), space ?? .sRGB)
                }
            return LookStep(material: material, parameters: parameters)
        }

        /// The full name with version, so that its meaning never changes.
        private static func name(_ node: SettingsNode) throws(LookError) -> String {
            do throws(UnknownLook) { return try LookCatalogue.builtIn.look(node.word).identifier } catch {
                throw LookError("\(error)", at: node.location)
            }
        }

        private static func effect(_ node: SettingsNode) throws(LookError) -> String {
            guard let effect = CoreImageEffect.named(node.word) else {
                throw LookError(
                    "there is no effect \(node.shown); `rawmill looks list` shows them all", at: node.location)
            }
            return effect.name
        }

        private static func space(_ pair: SettingsNode.Pair, isTable: Bool) throws(LookError) -> TableSpace {
            guard isTable else { throw LookError("only a table has an input-space", at: pair.key.location) }
            guard let space = TableSpace(rawValue: pair.value.word) else {
                throw LookError(
                    "there is no input-space \(pair.value.shown); use one of \(TableSpace.list)",
                    at: pair.value.location)
            }
            return space
        }

        private static func numbers(_ pair: SettingsNode.Pair) throws(LookError) -> [Double] {
            let nodes = if case .list(let nodes) = pair.value.content { nodes } else { [pair.value] }
            guard !nodes.isEmpty, nodes.count <= LookStep.maxNumbers else {
                throw LookError("\(pair.key.shown) has 1 to \(LookStep.maxNumbers) numbers", at: pair.value.location)
            }
            var numbers: [Double] = []
            for node in nodes {
                guard let number = Double(node.word), number.isFinite else {
                    throw LookError("\(pair.key.shown) is a number; this is \(node.shown)", at: node.location)
                }
                numbers.append(number)
            }
            return numbers
        }

        /// The bytes of a table: after the mark, or at a path.
        private mutating func bytes(
            _ node: SettingsNode, _ table: (String) throws(LookError) -> [UInt8]
        ) throws(LookError) -> [UInt8] {
            if node.scalar != nil {
                guard !node.word.isEmpty else { throw LookError("a table must be a path", at: node.location) }
                do throws(LookError) { return try table(node.word) } catch {
                    throw LookError(error.description, at: node.location)
                }
            }
            guard case .map(let pairs) = node.content, pairs.count == 1, pairs[0].key.word == "bytes" else {
                throw LookError("a table must be a path", at: node.location)
            }
            guard let count = Int(pairs[0].value.word), count > 0, count <= rest.count else {
                throw LookError("its table is cut off", at: node.location)
            }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    /// Far above any real count.
    public static let maxVersion: UInt32 = 1_000_000
}

extension SettingsNode {
    /// The text of a scalar; empty for anything else.
    fileprivate var word: String { scalar.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    /// Quoted and shortened, for messages.
    fileprivate var shown: String {
        guard scalar != nil else { return "a list or map" }
        return "\"\(String(word.prefix(40).map { $0.isNewline ? " " : $0 }))\""
    }
}

extension LookError {
    fileprivate init(_ description: String, at location: SettingsLocation) {
        self.init("line \(location.line), column \(location.column): \(description)")
    }
}
