/// Reads settings in YAML 1.1 with libyaml. Accepts only a single document of scalars, lists and maps. Aliases are
/// refused, because a few lines with them can describe billions of nodes.
public enum YAMLFile {
    /// Size limit of a file.
    public static let maxBytes = 1 << 20
    private static let maxDepth = 8

    /// Parses a file, whose name is for errors. Returns nil for an empty document. Throws the cause and its location.
    public static func read(_ bytes: [UInt8], file: String) throws(SettingsError) -> SettingsNode? {
        guard let parser = YAMLParser(bytes) else {
            throw SettingsError("out of memory", at: SettingsLocation(file: file, line: 1, column: 1))
        }
        var reading = Reading(file: file, parser: parser)
        return try reading.document()
    }

    private struct Reading: ~Copyable {
        let file: String
        var parser: YAMLParser

        mutating func document() throws(SettingsError) -> SettingsNode? {
            while true {
                let event = try next()
                switch event.kind {
                case .other: continue
                case .end: return nil
                default:
                    let node = try self.node(event, depth: 0)
                    try refuseSecondDocument()
                    return node
                }
            }
        }

        private mutating func refuseSecondDocument() throws(SettingsError) {
            while true {
                let event = try next()
                if event.kind == .end { return }
                guard event.kind == .other else {
                    throw SettingsError("only one YAML document is allowed", at: location(event))
                }
            }
        }

        private mutating func node(_ event: YAMLEvent, depth: Int) throws(SettingsError) -> SettingsNode {
            guard depth < YAMLFile.maxDepth else {
                throw SettingsError("lists and maps are nested too deeply", at: location(event))
            }
            switch event.kind {
            case .scalar(let bytes): return SettingsNode(content: .scalar(bytes), location: location(event))
            case .list: return SettingsNode(content: .list(try elements(depth)), location: location(event))
            case .map: return SettingsNode(content: .map(try pairs(depth)), location: location(event))
            case .alias: throw SettingsError("aliases (*name) are not supported; repeat the value", at: location(event))
            case .close, .end, .other: throw SettingsError("a value is missing", at: location(event))
            }
        }

        private mutating func elements(_ depth: Int) throws(SettingsError) -> [SettingsNode] {
            var elements: [SettingsNode] = []
            while true {
                let event = try next()
                if event.kind == .close { return elements }
                elements.append(try node(event, depth: depth + 1))
            }
        }

        private mutating func pairs(_ depth: Int) throws(SettingsError) -> [SettingsNode.Pair] {
            var pairs: [SettingsNode.Pair] = []
            var seen: Set<[UInt8]> = []
            while true {
                let event = try next()
                if event.kind == .close { return pairs }
                let key = try node(event, depth: depth + 1)
                guard let name = key.scalar else { throw SettingsError("a key must be plain text", at: key.location) }
                guard seen.insert(name).inserted else {
                    throw SettingsError("duplicate key \(String(decoding: name, as: UTF8.self))", at: key.location)
                }
                pairs.append(SettingsNode.Pair(key: key, value: try node(try next(), depth: depth + 1)))
            }
        }

        private mutating func next() throws(SettingsError) -> YAMLEvent {
            switch parser.next() {
            case .success(let event): return event
            case .failure(let problem):
                let location = SettingsLocation(file: file, line: problem.line, column: problem.column)
                throw SettingsError("not valid YAML: \(problem.message)", at: location)
            }
        }

        private func location(_ event: YAMLEvent) -> SettingsLocation {
            SettingsLocation(file: file, line: event.line, column: event.column)
        }
    }
}
