internal import Spelling

/// Reads tokens by recursive descent:
///
///     condition   = conjunction { "or" conjunction }
///     conjunction = negation { "and" negation }
///     negation    = { "not" } ( "(" condition ")" | test )
///     test        = field operator value
///                 | field [ "not" ] "in" "(" value { "," value } ")"
///                 | field [ "not" ] "between" value "and" value
///                 | field [ "not" ] "like" text
///                 | field "is" [ "not" ] "null"
struct SelectionParser {
    private let tokens: [SelectionToken]
    private var next = 0
    private var depth = 0
    private var testCount = 0

    static let maxDepth = 50
    /// The limit of comparisons, counting each value of a list.
    static let maxTests = 500

    /// - Parameter tokens: ends with `end`.
    init(_ tokens: [SelectionToken]) { self.tokens = tokens }

    mutating func parse() throws(SelectionError) -> SelectionCondition {
        if token.content == .end {
            throw error("the condition is empty; write for example look = 'velvet' and taken < 2015")
        }
        let condition = try parseCondition()
        guard token.content == .end else { throw unexpected("and, or, or the end") }
        return condition
    }

    // MARK: Tokens

    private var token: SelectionToken { tokens[min(next, tokens.count - 1)] }

    private func error(_ message: String, at column: Int? = nil) -> SelectionError {
        SelectionError(column: column ?? token.column, message: message)
    }

    private func unexpected(_ expected: String) -> SelectionError {
        switch token.content {
        case .end: error("the condition ends here, where \(expected) should follow")
        case .word(let word): error("expected \(expected), not \"\(word)\"\(near(word))")
        case .text(let text): error("expected \(expected), not the text '\(text)'")
        case .number(_, let written): error("expected \(expected), not the number \(written)")
        case .sign(let sign): error("expected \(expected), not \"\(sign)\"")
        }
    }

    private static let keywords = ["and", "or", "not", "in", "between", "like", "is", "null"]

    private func near(_ word: String) -> String {
        Suggestion.nearest(to: word, among: Self.keywords).map { $0 == word ? "" : "; did you mean \($0)?" } ?? ""
    }

    private mutating func takes(_ content: SelectionToken.Content) -> Bool {
        guard token.content == content else { return false }
        next += 1
        return true
    }

    private mutating func takes(word: String) -> Bool { takes(.word(word)) }

    // MARK: Conditions

    private mutating func parseCondition() throws(SelectionError) -> SelectionCondition {
        var parts = [try parseConjunction()]
        while takes(word: "or") { parts.append(try parseConjunction()) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func parseConjunction() throws(SelectionError) -> SelectionCondition {
        var parts = [try parseNegation()]
        while takes(word: "and") { parts.append(try parseNegation()) }
        return parts.count == 1 ? parts[0] : .all(parts)
    }

    private mutating func parseNegation() throws(SelectionError) -> SelectionCondition {
        var isNegated = false
        while takes(word: "not") { isNegated.toggle() }
        let condition: SelectionCondition
        let open = token.column
        if takes(.sign("(")) {
            depth += 1
            guard depth <= Self.maxDepth else {
                throw error("parentheses are nested more than \(Self.maxDepth) deep", at: open)
            }
            condition = try parseCondition()
            guard takes(.sign(")")) else { throw unexpected("and, or, or a closing parenthesis") }
            depth -= 1
        } else {
            condition = try parseTest()
        }
        return isNegated ? .not(condition) : condition
    }

    // MARK: Tests

    private mutating func parseTest() throws(SelectionError) -> SelectionCondition {
        let field = try parseField()
        if takes(word: "is") {
            let isNegated = takes(word: "not")
            guard takes(word: "null") else { throw unexpected("null or not null") }
            let isEmpty = try test(field, .isEmpty)
            return isNegated ? .not(isEmpty) : isEmpty
        }
        let isNegated = takes(word: "not")
        let column = token.column
        if takes(word: "in") { return negated(isNegated, field, try parseList(field)) }
        if takes(word: "between") {
            let (low, high) = (try parseValue(field, .greaterOrEqual, column), takes(word: "and"))
            guard high else { throw unexpected("and, and the higher value,") }
            let upper = try parseValue(field, .lessOrEqual, column)
            return negated(isNegated, field, .all([low, upper]))
        }
        if takes(word: "like") { return negated(isNegated, field, try parsePattern(field, column)) }
        if isNegated { throw unexpected("in, between or like") }
        if takes(.sign("!=")) { return negated(true, field, try parseValue(field, .equal, column)) }
        guard case .sign(let sign) = token.content, let comparison = Comparison(rawValue: sign) else {
            throw unexpected(
                "a comparison of \(field.rawValue)\(field.takesPatterns ? " (=, !=, like, in, is null)" : " (=, !=, in, is null)")"
            )
        }
        next += 1
        return try parseValue(field, comparison, column)
    }

    /// Negates a test for photos whose field is not empty.
    private func negated(
        _ isNegated: Bool, _ field: SelectionField, _ condition: SelectionCondition
    ) -> SelectionCondition {
        isNegated ? .all([.not(.test(field, .isEmpty)), .not(condition)]) : condition
    }

    private mutating func parseField() throws(SelectionError) -> SelectionField {
        guard case .word(let word) = token.content, !Self.keywords.contains(word) else {
            throw unexpected("a field, such as camera or taken,")
        }
        guard let field = SelectionField(rawValue: word) else {
            let names = SelectionField.allCases.map(\.rawValue)
            let near = Suggestion.nearest(to: word, among: names).map { "did you mean \($0)?" }
            throw error(
                "there is no field \"\(word)\"; "
                    + (near ?? "there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"))
        }
        next += 1
        return field
    }

    private mutating func parseList(_ field: SelectionField) throws(SelectionError) -> SelectionCondition {
        guard takes(.sign("(")) else { throw unexpected("a list in parentheses") }
        let column = token.column
        var parts: [SelectionCondition] = []
        repeat { parts.append(try parseValue(field, .equal, column)) } while takes(.sign(","))
        guard takes(.sign(")")) else { throw unexpected("a comma or a closing parenthesis") }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    private mutating func parsePattern(
        _ field: SelectionField, _ column: Int
    ) throws(SelectionError) -> SelectionCondition {
        guard field.takesPatterns else {
            let remedy = field == .folder ? "; write path like 'folder/%'" : ""
            throw error("\(field.rawValue) cannot be compared by like\(remedy)", at: column)
        }
        guard case .text(let text) = token.content else { throw unexpected("a text in single quotes") }
        guard let pattern = SelectionPattern(text) else {
            throw error("a pattern must not end with \\; write \\\\ for a backslash")
        }
        next += 1
        return try test(field, .isLike(pattern))
    }

    private mutating func parseValue(
        _ field: SelectionField, _ comparison: Comparison, _ column: Int
    ) throws(SelectionError) -> SelectionCondition {
        guard comparison == .equal || field.isOrdered else {
            let like = field.takesPatterns ? ", like" : ""
            throw error("\(field.rawValue) has no order; compare it by =, !=\(like) or in", at: column)
        }
        let reader = SelectionValueReader(field: field)
        let value: SelectionValue
        switch token.content {
        case .number(let number, let written): value = try reader.value(of: number, written, at: token.column)
        case .text(let text): value = try reader.value(of: text, at: token.column)
        case .word("null"): throw error("write \(field.rawValue) is null, or is not null")
        case .word(let word) where !Self.keywords.contains(word):
            throw error("compare \(field.rawValue) with a value; write text in single quotes: '\(word)'")
        default: throw unexpected("a value of \(field.rawValue)")
        }
        next += 1
        return try test(field, .compares(comparison, value))
    }

    private mutating func test(
        _ field: SelectionField, _ test: SelectionTest
    ) throws(SelectionError) -> SelectionCondition {
        testCount += 1
        guard testCount <= Self.maxTests else {
            throw error("there are more than \(Self.maxTests) comparisons; select in several steps")
        }
        return .test(field, test)
    }
}
