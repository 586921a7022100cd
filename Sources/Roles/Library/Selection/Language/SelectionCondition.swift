internal import Jobs

/// A condition on photos, checked: every test fits its field. It holds for a photo or it does not; there is no third case.
///
/// A test of a field that is empty does not hold, except `isEmpty`. `SelectionParser` writes `a != b` as "a is not empty, and
/// not a = b".
indirect enum SelectionCondition: Hashable, Sendable {
    /// All of them hold.
    case all([SelectionCondition])
    /// At least one of them holds.
    case any([SelectionCondition])
    case not(SelectionCondition)
    case test(SelectionField, SelectionTest)
}

/// What is asked of one field.
enum SelectionTest: Hashable, Sendable {
    case isEmpty
    /// Only `equal` for fields that have no order.
    case compares(Comparison, SelectionValue)
    case isLike(SelectionPattern)
}

/// How a field stands to a value.
enum Comparison: String, Hashable, Sendable, CaseIterable {
    case equal = "="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether it holds between two numbers.
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

/// What a field is compared with.
enum SelectionValue: Hashable, Sendable {
    case number(Double)
    /// In lower case for fields that are compared without regard to it.
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
    /// The beginning of all times in the period as EXIF writes them: `2014:06`.
    let prefix: String

    /// Sorts behind all times in the period and before all later ones: `;` follows the digits, `:` and the space.
    var end: String { prefix + ";" }

    /// Takes what times in the period begin with.
    init(prefix: String) { self.prefix = prefix }

    /// Reads `2014`, `2014-06`, `2014-06-01`, `2014-06-01 12:30` or `2014-06-01T12:30:15`; nil for anything else.
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

/// A text in which `%` stands for any characters and `_` for one, `\` before a character for that character. Cases of A to Z
/// are equal.
struct SelectionPattern: Hashable, Sendable {
    /// In lower case, for `LIKE … ESCAPE '\'`.
    let text: String
    /// What every text that fits begins with, in lower case.
    let prefix: String
    /// Every text fits that begins so.
    let isBeginning: Bool

    /// - Returns: nil if it ends in a lone `\`.
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
    /// With A to Z in lower case, as SQL's `lower` does where no locale rules.
    var lowercasedASCII: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            text.append(("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
        }
        return String(text)
    }
}
