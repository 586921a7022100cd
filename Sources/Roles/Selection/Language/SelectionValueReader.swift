internal import Jobs
internal import Spelling

struct SelectionValueReader {
    let field: SelectionField

    private func error(_ message: String, at column: Int) -> SelectionError {
        SelectionError(column: column, message: "\(field.rawValue) \(message)")
    }

    func value(of number: Double, _ written: String, at column: Int) throws(SelectionError) -> SelectionValue {
        switch field.kind {
        case .number: return .number(number + 0)
        case .date:
            guard let period = DatePeriod(written) else {
                throw error("is a year, or a text: 2015, '2015-06', '2015-06-01', '2015-06-01 12:30'", at: column)
            }
            return .period(period)
        case .text, .look, .folder, .asset, .choice:
            throw error("is text: write '\(written)' in single quotes", at: column)
        }
    }

    func value(of text: String, at column: Int) throws(SelectionError) -> SelectionValue {
        switch field.kind {
        case .number: throw error("is a number, which has no quotes", at: column)
        case .text(let isExact): return .text(isExact ? text : text.lowercasedASCII)
        case .date:
            guard let period = DatePeriod(text) else {
                throw error(
                    "is a year, month, day or time: '2015', '2015-06', '2015-06-01', '2015-06-01 12:30'", at: column)
            }
            return .period(period)
        case .look: return try look(text, at: column)
        case .folder:
            let trimmed = text.utf8.split(separator: UInt8(ascii: "/"))
            guard let path = RelativePath(bytes: Array(trimmed.joined(separator: [UInt8(ascii: "/")]))) else {
                throw error("is a folder below a root: '2019/trip'", at: column)
            }
            return .folder(path)
        case .asset:
            guard (4...64).contains(text.utf8.count), text.utf8.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit })
            else {
                throw error("is the first 4 to 64 hexadecimal digits of an id, as library list shows them", at: column)
            }
            return .digits(text.lowercasedASCII)
        case .choice(let words):
            let word = text.lowercasedASCII
            if words.contains(word) { return .text(word) }
            let near = Suggestion.nearest(to: word, among: words).map { "; did you mean '\($0)'?" } ?? ""
            throw error("is one of \(words.joined(separator: ", "))\(near)", at: column)
        }
    }

    private func look(_ text: String, at column: Int) throws(SelectionError) -> SelectionValue {
        let parts = text.lowercasedASCII.split(separator: "@", omittingEmptySubsequences: false)
        let version = parts.count == 2 ? UInt32(parts[1]) : nil
        guard let name = parts.first.map(String.init), LookReference.isName(name),
            parts.count == 1 || parts.count == 2 && version != nil
        else { throw error("is a name, with or without a version: 'velvet', 'velvet@1'", at: column) }
        return .look(name: name, version: version)
    }
}
