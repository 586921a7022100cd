/// Settings written in YAML 1.1, as libyaml reads it.
///
/// Of YAML only what settings need is taken: one document of scalars, lists and maps. Aliases are refused: a file of a
/// few lines can name a tree of billions of nodes with them.
public enum YAMLFile {
    /// Largest file that is read, in bytes.
    public static let largestBytes = 1 << 20
    /// Maps and lists within each other.
    private static let deepest = 8

    /// - Parameter file: its name, for errors.
    /// - Returns: nil for a file without a document: nothing but comments.
    public static func read(_ bytes: [UInt8], file: String) throws(SettingsError) -> SettingsNode? {
        guard let parser = YAMLParser(bytes) else {
            throw SettingsError("there is no memory to read it", at: SettingsPlace(file: file, line: 1, column: 1))
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
                    throw SettingsError("a second document; there can be only one", at: place(event))
                }
            }
        }

        private mutating func node(_ event: YAMLEvent, depth: Int) throws(SettingsError) -> SettingsNode {
            guard depth < YAMLFile.deepest else {
                throw SettingsError("lists and maps stand too deep in each other", at: place(event))
            }
            switch event.kind {
            case .scalar(let bytes): return SettingsNode(content: .scalar(bytes), place: place(event))
            case .list: return SettingsNode(content: .list(try elements(depth)), place: place(event))
            case .map: return SettingsNode(content: .map(try pairs(depth)), place: place(event))
            case .alias: throw SettingsError("aliases (*name) are not taken; write it out", at: place(event))
            case .close, .end, .other: throw SettingsError("a value is missing", at: place(event))
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
                guard let name = key.scalar else { throw SettingsError("a name must be a word", at: key.place) }
                guard seen.insert(name).inserted else {
                    throw SettingsError("\(String(decoding: name, as: UTF8.self)) stands here twice", at: key.place)
                }
                pairs.append(SettingsNode.Pair(key: key, value: try node(try next(), depth: depth + 1)))
            }
        }

        private mutating func next() throws(SettingsError) -> YAMLEvent {
            switch parser.next() {
            case .success(let event): return event
            case .failure(let problem):
                let place = SettingsPlace(file: file, line: problem.line, column: problem.column)
                throw SettingsError("no YAML: \(problem.message)", at: place)
            }
        }

        private func place(_ event: YAMLEvent) -> SettingsPlace {
            SettingsPlace(file: file, line: event.line, column: event.column)
        }
    }
}
