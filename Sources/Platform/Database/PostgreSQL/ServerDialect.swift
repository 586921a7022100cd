/// Translates a statement to PostgreSQL: placeholders (`?`, `?1`), blobs (`x'00'`), blobs read as text (`CAST(column AS
/// TEXT)`), and paths, whose starts PostgreSQL indexes (`IndexedPath`).
struct ServerDialect: Hashable {
    /// With the placeholders `$1`, `$2` and so on.
    private(set) var sql = ""
    private(set) var parameterCount = 0
    /// Whether a LIMIT may be appended.
    private(set) var isUnlimitedQuery: Bool
    let isQuery: Bool

    private var rest: Substring
    private var depth = 0
    /// The current clause, and those around the open parentheses.
    private var clauses: [Clause] = [.other]
    /// DISTINCT, UNION and GROUP BY only allow ordering by selected columns.
    private let isOrderFree: Bool

    private enum Clause {
        case condition, order, conflict, other
    }

    init(_ text: String) {
        rest = text[...]
        let first = text.drop(while: \.isWhitespace).prefix { $0.isLetter }.uppercased()
        isQuery = first == "SELECT"
        isUnlimitedQuery = isQuery
        isOrderFree = !["DISTINCT", "UNION", "GROUP BY"].contains { text.contains($0) }
        while let character = rest.first { take(character) }
    }

    private mutating func take(_ character: Character) {
        switch character {
        case "'", "\"": quoted(character)
        case "?": placeholder()
        case "-" where rest.hasPrefix("--"): copy(rest.prefix { $0 != "\n" })
        case "(": open()
        case ")": close()
        case _ where character.isLetter || character == "_": word()
        default: copy(rest.prefix(1))
        }
    }

    private mutating func open() {
        depth += 1
        let isInside = clauses.last == .condition || clauses.last == .conflict
        clauses.append(isInside ? clauses.last ?? .other : .other)
        copy(rest.prefix(1))
    }

    private mutating func close() {
        depth -= 1
        if clauses.count > 1 { clauses.removeLast() }
        if clauses.last == .conflict { clauses[clauses.count - 1] = .other }
        copy(rest.prefix(1))
    }

    private mutating func copy(_ part: Substring) {
        sql += part
        rest = rest[part.endIndex...]
    }

    /// A string or a quoted name. A doubled quote ends one and begins another.
    private mutating func quoted(_ quote: Character) {
        let inside = rest.dropFirst().prefix { $0 != quote }
        copy(rest[..<(inside.endIndex < rest.endIndex ? rest.index(after: inside.endIndex) : rest.endIndex)])
    }

    private mutating func placeholder() {
        let digits = rest.dropFirst().prefix { $0.isASCII && $0.isNumber }
        let number = Int(digits) ?? parameterCount + 1
        parameterCount = max(parameterCount, number)
        sql += "$\(number)"
        rest = rest[digits.endIndex...]
    }

    private mutating func word() {
        let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let after = rest[word.endIndex...]
        if word == "x" || word == "X", after.first == "'" {
            let digits = after.dropFirst().prefix { $0.isHexDigit }
            sql += "'\\x\(digits)'::bytea"
            rest = after[digits.endIndex...].dropFirst()
        } else if word.uppercased() == "CAST", let column = Self.castToText(after) {
            sql += "text_of(\(column.name))"
            rest = after[column.end...]
        } else if IndexedPath.names.contains(Self.column(at: rest).split(separator: ".").last ?? "") {
            path(Self.column(at: rest))
        } else {
            let keyword = word.uppercased()
            if depth == 0, ["LIMIT", "FOR"].contains(keyword) { isUnlimitedQuery = false }
            if let clause = Self.clause(keyword) { clauses[clauses.count - 1] = clause }
            copy(word)
        }
    }

    /// The clause that a keyword begins; nil for other words.
    private static func clause(_ keyword: String) -> Clause? {
        switch keyword {
        case "WHERE", "ON", "WHEN", "HAVING": .condition
        case "CONFLICT": .conflict
        case "ORDER": .order
        case "SELECT", "FROM", "JOIN", "SET", "VALUES", "DO", "GROUP", "LIMIT", "OFFSET", "UNION", "RETURNING", "THEN",
            "ELSE", "END":
            .other
        default: nil
        }
    }

    // MARK: Paths

    /// The column name at the start of the text, with its table if given: `path`, `t.path`.
    private static func column(at text: Substring) -> Substring {
        func end(_ text: Substring) -> Substring.Index {
            text.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? text.endIndex
        }
        let first = end(text)
        guard first < text.endIndex, text[first] == "." else { return text[..<first] }
        return text[..<end(text[text.index(after: first)...])]
    }

    private mutating func path(_ column: Substring) {
        switch clauses.last {
        case .conflict:
            sql += IndexedPath.key(column)
            rest = rest[column.endIndex...]
        case .order where isOrderFree:
            let direction = rest[column.endIndex...].prefix { $0 == " " || $0.isLetter }.split(separator: " ").first
            sql += IndexedPath.beginning(column) + (direction?.uppercased() == "DESC" ? " DESC" : "") + ", "
            copy(column)
        case .condition: comparison(column)
        default: copy(column)
        }
    }

    /// Compares the indexed starts too, so that the index applies.
    private mutating func comparison(_ column: Substring) {
        let after = rest[column.endIndex...].drop { $0 == " " }
        let sign = after.prefix { "<>=".contains($0) }
        let other = after[sign.endIndex...].drop { $0 == " " }
        let name = Self.column(at: other)
        let isPath = IndexedPath.names.contains(name.split(separator: ".").last ?? "")
        guard ["=", "<", "<=", ">", ">="].contains(sign), other.first == "?" || isPath else { return copy(column) }
        let value: String
        if isPath {
            value = String(name)
            rest = other[name.endIndex...]
        } else {
            let digits = other.dropFirst().prefix { $0.isASCII && $0.isNumber }
            let number = Int(digits) ?? parameterCount + 1
            parameterCount = max(parameterCount, number)
            value = "$\(number)::bytea"
            rest = other[digits.endIndex...]
        }
        let looser = sign == "<" ? "<=" : sign == ">" ? ">=" : sign
        sql +=
            "(\(IndexedPath.beginning(column)) \(looser) \(IndexedPath.beginning(value)) AND \(column) \(sign) \(value))"
    }

    private static func castToText(_ text: Substring) -> (name: Substring, end: Substring.Index)? {
        guard text.first == "(", let end = text.firstIndex(of: ")") else { return nil }
        let words = text[text.index(after: text.startIndex)..<end].split(separator: " ")
        guard words.count == 3, words[1].uppercased() == "AS", words[2].uppercased() == "TEXT" else { return nil }
        return (words[0], text.index(after: end))
    }
}
