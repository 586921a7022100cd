/// A PostgreSQL statement that runs once for each row of `k`, the table that `unnest` builds from one array per
/// placeholder.
struct ManyRowsText: Hashable {
    let sql: String

    /// - Parameters:
    ///   - text: an INSERT with one row of VALUES, an UPDATE, a DELETE or a SELECT, with the placeholders `$1`, `$2`
    ///     and so on.
    ///   - types: OIDs of the placeholders' types.
    init(_ text: String, types: [UInt32]) {
        let numbers = 1...max(1, types.count)
        let arrays = zip(numbers, types).map { "$\($0)::\(ServerValue.name(of: $1))[]" }.joined(separator: ", ")
        let rows = "unnest(\(arrays)) AS k(\(numbers.map { "v\($0)" }.joined(separator: ", ")))"
        let body = Self.withColumns(text)
        switch body.prefix(while: \.isLetter).uppercased() {
        case "INSERT": sql = Self.insert(body, rows)
        case "UPDATE": sql = Self.insertBeforeCondition(" FROM \(rows)", in: body)
        case "DELETE": sql = Self.insertBeforeCondition(" USING \(rows)", in: body)
        default: sql = "SELECT q.* FROM \(rows) CROSS JOIN LATERAL (\(body)) AS q"
        }
    }

    /// Turns `$1` into `k.v1`. String literals in Rawmill's statements contain no `$`.
    private static func withColumns(_ text: String) -> String {
        text.replacing("$", with: "k.v").trimmingPrefix(while: \.isWhitespace).description
    }

    private static func insert(_ text: String, _ rows: String) -> String {
        guard let word = text.firstRange(of: "VALUES"), let open = text[word.upperBound...].firstIndex(of: "("),
            let close = end(of: text[open...])
        else { return text }
        let values = text[text.index(after: open)..<close]
        return text[..<word.lowerBound] + "SELECT \(values) FROM \(rows)" + text[text.index(after: close)...]
    }

    /// The parenthesis that closes the one at the start of the text.
    private static func end(of text: Substring) -> Substring.Index? {
        var depth = 0
        return text.indices.first { index in
            depth += text[index] == "(" ? 1 : text[index] == ")" ? -1 : 0
            return depth == 0
        }
    }

    private static func insertBeforeCondition(_ part: String, in text: String) -> String {
        guard let word = text.firstRange(of: "WHERE") else { return text + part }
        return text[..<word.lowerBound] + part + " " + text[word.lowerBound...]
    }
}
