/// Format of a time of capture: `%Y-%m-%d`.
struct DatePattern: Hashable, Sendable {
    private enum Part: Hashable {
        case text(Character)
        /// Digits of `YYYYMMDDHHMMSS`.
        case digits(Range<Int>)
    }

    private let parts: [Part]

    static let usual = DatePattern(parts: [
        .digits(0..<4), .text("-"), .digits(4..<6), .text("-"), .digits(6..<8),
    ])

    private init(parts: [Part]) { self.parts = parts }

    init(_ text: String) throws(NameTemplateError) {
        var parts: [Part] = []
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "%" else {
                parts.append(.text(character))
                continue
            }
            switch rest.popFirst() {
            case "Y": parts.append(.digits(0..<4))
            case "y": parts.append(.digits(2..<4))
            case "m": parts.append(.digits(4..<6))
            case "d": parts.append(.digits(6..<8))
            case "H": parts.append(.digits(8..<10))
            case "M": parts.append(.digits(10..<12))
            case "S": parts.append(.digits(12..<14))
            case "%": parts.append(.text("%"))
            default: throw .badPattern(text)
            }
        }
        // A pattern stays within one name. For a folder per year, write {date:%Y}/{date:%m}.
        guard !parts.isEmpty, !text.contains("/") else { throw .badPattern(text) }
        self.parts = parts
    }

    /// - Parameter captured: as in EXIF, `2024:05:01 10:00:00`; nil if the camera recorded none.
    func text(_ captured: String?) -> String {
        let digits = (captured ?? "").prefix(19).filter(\.isASCIIDigit).map { $0 }
        guard digits.count == 14, digits.contains(where: { $0 != "0" }) else { return "undated" }
        return parts.map { part in
            switch part {
            case .text(let character): String(character)
            case .digits(let range): String(digits[range])
            }
        }.joined()
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
