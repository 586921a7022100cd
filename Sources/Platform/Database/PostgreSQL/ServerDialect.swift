/// A statement in PostgreSQL's words: the same but for placeholders (`?`, `?1`), blobs (`x'00'`) and blobs taken for text
/// (`CAST(column AS TEXT)`).
struct ServerDialect: Hashable {
    /// With the placeholders `$1`, `$2`, and so on.
    private(set) var sql = ""
    /// The values that it takes.
    private(set) var parameterCount = 0
    /// A query whose rows another clause may limit.
    private(set) var isUnlimitedQuery: Bool
    /// It only reads.
    let isQuery: Bool

    private var rest: Substring
    private var depth = 0

    init(_ text: String) {
        rest = text[...]
        let first = text.drop(while: \.isWhitespace).prefix { $0.isLetter }.uppercased()
        isQuery = first == "SELECT"
        isUnlimitedQuery = isQuery
        while let character = rest.first { take(character) }
    }

    private mutating func take(_ character: Character) {
        switch character {
        case "'", "\"": quoted(character)
        case "?": placeholder()
        case "-" where rest.hasPrefix("--"): copy(rest.prefix { $0 != "\n" })
        case "(", ")":
            depth += character == "(" ? 1 : -1
            copy(rest.prefix(1))
        case _ where character.isLetter || character == "_": word()
        default: copy(rest.prefix(1))
        }
    }

    private mutating func copy(_ part: Substring) {
        sql += part
        rest = rest[part.endIndex...]
    }

    /// A text or a name; the same character twice stands for itself and begins another.
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
        } else {
            if depth == 0, ["LIMIT", "FOR"].contains(word.uppercased()) { isUnlimitedQuery = false }
            copy(word)
        }
    }

    /// The column in `(column AS TEXT)`.
    private static func castToText(_ text: Substring) -> (name: Substring, end: Substring.Index)? {
        guard text.first == "(", let end = text.firstIndex(of: ")") else { return nil }
        let words = text[text.index(after: text.startIndex)..<end].split(separator: " ")
        guard words.count == 3, words[1].uppercased() == "AS", words[2].uppercased() == "TEXT" else { return nil }
        return (words[0], text.index(after: end))
    }
}
