internal import Jobs

/// A checked condition on photos: every test fits its field. It is true or false, never unknown.
///
/// A test of an empty field is false, except `isEmpty`. `SelectionParser` writes `a != b` as "a is not empty, and not a
/// = b".
indirect enum SelectionCondition: Hashable, Sendable {
    case all([SelectionCondition])
    case any([SelectionCondition])
    case not(SelectionCondition)
    case test(SelectionField, SelectionTest)
}

enum SelectionTest: Hashable, Sendable {
    case isEmpty
    /// Only `equal` for unordered fields.
    case compares(Comparison, SelectionValue)
    case isLike(SelectionPattern)
}

enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    func holds(_ a: Double, _ b: Double) -> Bool {
        switch self {
        case .equal: a == b
        case .less: a < b
        case .lessOrEqual: a <= b
        case .greater: a > b
        case .greaterOrEqual: a >= b
        }
    }
}

enum SelectionValue: Hashable, Sendable {
    case number(Double)
    /// In lower case for fields compared without regard to case.
    case text(String)
    case period(DatePeriod)
    /// A look of any version, or of one.
    case look(name: String, version: UInt32?)
    /// Hexadecimal digits of an id, in lower case.
    case digits(String)
    case folder(RelativePath)
}

/// A year, a month, a day, or a part of one.
struct DatePeriod: Hashable, Sendable {
    /// The common beginning of all EXIF times in the period: `2014:06`.
    let prefix: String

    /// Sorts between the times of the period and later ones, because `;` follows the digits, `:` and the space.
    var end: String { prefix + ";" }

    init(prefix: String) { self.prefix = prefix }

    /// Reads `2014`, `2014-06`, `2014-06-01`, `2014-06-01 12:30` or `2014-06-01T12:30:15`; nil for other texts.
    init?(_ text: String) {
        let halves = text.split(whereSeparator: { $0 == " " || $0 == "T" }).map { $0 }
        guard (1...2).contains(halves.count), text.utf8.count == halves.reduce(halves.count - 1, { $0 + $1.utf8.count })
        else { return nil }
        guard let date = Self.numbers(halves[0], "-", [4, 2, 2], [1...9999, 1...12, 1...31]) else { return nil }
        guard halves.count == 2 else {
            prefix = date.joined(separator: ":")
            return
        }
        guard date.count == 3, let time = Self.numbers(halves[1], ":", [2, 2, 2], [0...23, 0...59, 0...60]),
            time.count >= 2
        else { return nil }
        prefix = date.joined(separator: ":") + " " + time.joined(separator: ":")
    }

    private static func numbers(
        _ text: Substring, _ separator: Character, _ digits: [Int], _ ranges: [ClosedRange<Int>]
    ) -> [String]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard (1...digits.count).contains(parts.count) else { return nil }
        for (index, part) in parts.enumerated() {
            guard part.utf8.count == digits[index], part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(part), ranges[index].contains(number)
            else { return nil }
        }
        return parts.map(String.init)
    }
}

/// A text in which `%` matches any characters and `_` one; `\` before a character quotes it. Ignores case of A to Z.
struct SelectionPattern: Hashable, Sendable {
    /// In lower case, for `LIKE … ESCAPE '\'`.
    let text: String
    /// The beginning of every matching text, in lower case.
    let prefix: String
    /// True if every text with this beginning matches.
    let isBeginning: Bool

    /// - Returns: nil for a text that ends in a lone `\`.
    init?(_ text: String) {
        var prefix = ""
        var isOpen = true
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped {
                isEscaped = false
                if isOpen { prefix.unicodeScalars.append(scalar) }
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                if scalar == "%" || scalar == "_" { isOpen = false }
                if isOpen { prefix.unicodeScalars.append(scalar) }
            }
        }
        if isEscaped { return nil }
        self.text = text.lowercasedASCII
        self.prefix = prefix.lowercasedASCII
        isBeginning = self.text == self.prefix + "%"
    }
}

extension String {
    /// With A to Z in lower case, as in SQL's `lower` without a locale.
    var lowercasedASCII: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
        }
        return String(text)
    }
}
