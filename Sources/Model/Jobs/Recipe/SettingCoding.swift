internal import Digest

struct SettingCoding<Value: Hashable & Sendable>: Sendable {
    let kind: SettingOption.Kind
    /// The valid values, as the end of a sentence that begins with "must be".
    let expected: String
    /// Parses a user's text; nil if it is not valid.
    let read: @Sendable (String) -> Value?
    /// The text of a value, as a user writes it.
    let text: @Sendable (Value) -> String
    let isValid: @Sendable (Value) -> Bool
    /// Parses a line of the canonical text; nil if it is not valid.
    let readLine: @Sendable (String) -> Value?
    /// The line in the canonical text. It is part of the identity of recipes and never changes.
    let line: @Sendable (Value) -> String

    init(
        _ kind: SettingOption.Kind, _ expected: String, read: @escaping @Sendable (String) -> Value?,
        text: @escaping @Sendable (Value) -> String, isValid: @escaping @Sendable (Value) -> Bool = { _ in true },
        readLine: (@Sendable (String) -> Value?)? = nil, line: (@Sendable (Value) -> String)? = nil
    ) {
        self.kind = kind
        self.expected = expected
        self.read = read
        self.text = text
        self.isValid = isValid
        self.readLine = readLine ?? read
        self.line = line ?? text
    }
}

extension SettingCoding where Value == Double {
    /// Canonical texts have Swift's shortest form. Adding 0 turns negative zero, which equals zero, into zero.
    static func number(_ range: ClosedRange<Double>) -> SettingCoding {
        SettingCoding(
            .number(range), "a number from \(short(range.lowerBound)) to \(short(range.upperBound))",
            read: { Double($0).flatMap { range.contains($0) ? $0 : nil } }, text: short,
            isValid: { range.contains($0) }, readLine: { Double($0) }, line: { "\($0 + 0)" })
    }
}

extension SettingCoding where Value == Double? {
    /// A number, or a word for nil; `zero` stands for 0 in canonical texts.
    static func number(_ range: ClosedRange<Double>, else word: String, zero: String) -> SettingCoding {
        SettingCoding(
            .text, "\(word) or a number from \(short(range.lowerBound)) to \(short(range.upperBound))",
            read: { text in
                if text == word { return .some(nil) }
                guard let number = Double(text), range.contains(number) else { return nil }
                return .some(number + 0)
            },
            text: { $0.map { "\($0)" } ?? word }, isValid: { $0.map(range.contains) ?? true },
            readLine: { $0 == zero ? .some(0) : Double($0).map { .some($0) } },
            line: { $0.map { $0 == 0 ? zero : "\($0)" } ?? word })
    }
}

extension SettingCoding where Value == UInt32 {
    static func whole(_ range: ClosedRange<UInt32>) -> SettingCoding {
        SettingCoding(
            .whole(range), "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { UInt32($0).flatMap { range.contains($0) ? $0 : nil } }, text: { "\($0)" },
            isValid: { range.contains($0) }, readLine: { UInt32($0) })
    }
}

extension SettingCoding where Value == UInt32? {
    static func whole(_ range: ClosedRange<UInt32>, else word: String) -> SettingCoding {
        SettingCoding(
            .text, "\(word), or a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { text in
                if text == word { return .some(nil) }
                guard let number = UInt32(text), range.contains(number) else { return nil }
                return .some(number)
            },
            text: { $0.map { "\($0)" } ?? word }, isValid: { $0.map(range.contains) ?? true },
            readLine: { $0 == word ? .some(nil) : UInt32($0).map { .some($0) } })
    }
}

extension SettingCoding where Value == Bool {
    /// A switch, `on` in canonical texts.
    static let flag = SettingCoding(
        .flag, "true or false", read: { ["true": true, "1": true, "false": false, "0": false][$0] },
        text: { $0 ? "true" : "false" }, readLine: { $0 == "on" }, line: { $0 ? "on" : "off" })

    static func word(_ word: String, else other: String) -> SettingCoding {
        SettingCoding(
            .choice([other, word]), "\(other) or \(word)", read: { [word: true, other: false][$0] },
            text: { $0 ? word : other })
    }
}

extension SettingCoding where Value: RawRepresentable<String> & CaseIterable {
    static var choice: SettingCoding {
        let choices = Value.allCases.map(\.rawValue)
        return SettingCoding(
            .choice(choices), "one of " + choices.joined(separator: ", "), read: { Value(rawValue: $0) },
            text: { $0.rawValue })
    }
}

extension SettingCoding where Value == SHA256Value? {
    /// In canonical texts only: users give files.
    static var digest: SettingCoding {
        SettingCoding(
            .text, "a digest", read: { SHA256Value(hex: $0).map { .some($0) } }, text: { $0?.description ?? "" })
    }
}

extension SettingCoding where Value == Recipe.WhiteBalance? {
    static var whiteBalance: SettingCoding {
        SettingCoding(
            .text, "as-shot, KELVIN or KELVIN,TINT: 1500 to 50000, and -150 (green) to 150 (magenta)",
            read: { text in
                if text == "as-shot" { return .some(nil) }
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                guard (1...2).contains(parts.count), let kelvin = Double(parts[0]),
                    let tint = parts.count == 2 ? Double(parts[1]) : 0
                else { return nil }
                let balance = Recipe.WhiteBalance(kelvin: kelvin, tint: tint)
                return balance.isValid ? .some(balance) : nil
            }, text: { $0.map { "\(short($0.kelvin)),\(short($0.tint))" } ?? "as-shot" },
            isValid: { $0?.isValid ?? true },
            readLine: { text in
                if text == "as-shot" { return .some(nil) }
                let parts = text.split(separator: ",").compactMap { Double($0) }
                return parts.count == 2 ? .some(.init(kelvin: parts[0], tint: parts[1])) : nil
            }, line: { $0.map { "\($0.kelvin),\($0.tint + 0)" } ?? "as-shot" })
    }
}

extension SettingCoding where Value == Set<PrivateDetail> {
    /// `location,paths`: the names in their fixed order, without blanks; or `all`.
    static var details: SettingCoding {
        SettingCoding(
            .text,
            "all, or some of \(PrivateDetail.allCases.map(\.rawValue).joined(separator: ",")), separated by commas",
            read: { text in
                if text == "all" { return Set(PrivateDetail.allCases) }
                let names = text.split(separator: ",", omittingEmptySubsequences: false)
                let details = names.compactMap { PrivateDetail(rawValue: String($0)) }
                return details.count == names.count ? Set(details) : nil
            },
            text: { details in
                PrivateDetail.allCases.filter(details.contains).map(\.rawValue).joined(separator: ",")
            })
    }
}

/// A number in its shortest form, without a decimal point if it is whole.
private func short(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : number.description
}
