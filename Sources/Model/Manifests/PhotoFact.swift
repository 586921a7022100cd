/// A fact's value.
public enum FactValue: Hashable, Sendable {
    case text(String)
    case whole(Int64)
    /// A finite number.
    case number(Double)

    /// The value's text in records and messages.
    public var text: String {
        switch self {
        case .text(let text): text
        case .whole(let number): "\(number)"
        case .number(let number): "\(number)"
        }
    }
}

/// One fact of `PhotoFacts`, with everything derived from it. Records, messages, packets, tables, selections, reports
/// and the page use this list.
public struct PhotoFact: Sendable {
    /// The type of its values.
    public enum Kind: Hashable, Sendable {
        case text
        /// Texts, one a line.
        case lines
        case whole(ClosedRange<Int64>)
        /// A finite number in a range.
        case number(ClosedRange<Double>)
    }

    /// Where a photo's file stores the fact.
    public enum Origin: Hashable, Sendable {
        /// In the identity that Rawmill writes into the XMP packet.
        case identity
        /// In the packet's properties that users edit.
        case people
        /// In the EXIF block.
        case exif
    }

    /// The name in JSON fields, properties of the packet, and records.
    public let key: String
    /// The label in lists of a photo's facts; nil if it is not listed.
    public let label: String?
    /// The name in selections; nil if it has none or another one.
    public let field: String?
    /// The type of its values.
    public let kind: Kind
    /// Where a photo's file stores the fact.
    public let origin: Origin
    /// Whether every photo has it: an empty text is then a value.
    public let isRequired: Bool
    private let read: @Sendable (PhotoFacts) -> FactValue?
    private let write: @Sendable (inout PhotoFacts, FactValue?) -> Void
    private let shown: @Sendable (FactValue) -> String?

    /// The value; nil if unknown.
    public func value(in facts: PhotoFacts) -> FactValue? { read(facts) }

    /// Sets the value. A value of another type counts as unknown.
    public func set(_ value: FactValue?, in facts: inout PhotoFacts) { write(&facts, value.flatMap(valid)) }

    /// The value for display; nil if there is nothing to show.
    public func text(in facts: PhotoFacts) -> String? { read(facts).flatMap(shown) }

    /// Parses a value of a record or message; nil if it is not valid.
    public func value(_ text: String) -> FactValue? {
        switch kind {
        case .text, .lines: .text(text)
        case .whole: Int64(text).flatMap { valid(.whole($0)) }
        case .number: Double(text).flatMap { valid(.number($0)) }
        }
    }

    /// The value, if it is valid for this fact.
    private func valid(_ value: FactValue) -> FactValue? {
        switch (kind, value) {
        case (.text, .text), (.lines, .text): value
        case (.whole(let range), .whole(let number)): range.contains(number) ? value : nil
        case (.number(let range), .number(let number)): range.contains(number) ? value : nil
        default: nil
        }
    }

    /// The name of the column in tables: `lens_name` for `lensName`.
    public var column: String {
        key.reduce(into: "") { name, letter in name += letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)" }
    }

    /// The fact with this key; nil for other keys.
    public static func named(_ key: String) -> PhotoFact? { byKey[key] }

    private static let byKey = Dictionary(all.map { ($0.key, $0) }) { $1 }
}

extension PhotoFact {
    /// A text that every photo has.
    init(
        _ key: String, _ property: any WritableKeyPath<PhotoFacts, String> & Sendable, label: String?, field: String?,
        origin: Origin
    ) {
        self.init(
            key: key, label: label, field: field, kind: .text, origin: origin, isRequired: true,
            read: { .text($0[keyPath: property]) },
            write: { facts, value in facts[keyPath: property] = value?.text ?? "" },
            shown: { $0.text.isEmpty ? nil : $0.text })
    }

    init(
        _ key: String, _ property: any WritableKeyPath<PhotoFacts, String?> & Sendable, label: String?, field: String?,
        origin: Origin, shown: @escaping @Sendable (String) -> String? = { $0 }
    ) {
        self.init(
            key: key, label: label, field: field, kind: .text, origin: origin, isRequired: false,
            read: { $0[keyPath: property].map { .text($0) } },
            write: { facts, value in facts[keyPath: property] = value?.text },
            shown: { shown($0.text) })
    }

    init(
        _ key: String, _ property: any WritableKeyPath<PhotoFacts, Int?> & Sendable, in range: ClosedRange<Int64>,
        label: String?, field: String?, origin: Origin, shown: @escaping @Sendable (Int64) -> String? = { "\($0)" }
    ) {
        self.init(
            key: key, label: label, field: field, kind: .whole(range), origin: origin, isRequired: false,
            read: { $0[keyPath: property].map { .whole(Int64($0)) } },
            write: { facts, value in
                if case .whole(let number)? = value {
                    facts[keyPath: property] = Int(number)
                } else {
                    facts[keyPath: property] = nil
                }
            },
            shown: { if case .whole(let number) = $0 { shown(number) } else { nil } })
    }

    init(
        _ key: String, _ property: any WritableKeyPath<PhotoFacts, Double?> & Sendable, in range: ClosedRange<Double>,
        label: String?, field: String?, origin: Origin, shown: @escaping @Sendable (Double) -> String?
    ) {
        self.init(
            key: key, label: label, field: field, kind: .number(range), origin: origin, isRequired: false,
            read: { $0[keyPath: property].map { .number($0) } },
            write: { facts, value in
                if case .number(let number)? = value {
                    facts[keyPath: property] = number
                } else {
                    facts[keyPath: property] = nil
                }
            },
            shown: { if case .number(let number) = $0 { shown(number) } else { nil } })
    }

    init(
        _ key: String, _ property: any WritableKeyPath<PhotoFacts, Keywords?> & Sendable, label: String?,
        field: String?, origin: Origin
    ) {
        self.init(
            key: key, label: label, field: field, kind: .lines, origin: origin, isRequired: false,
            read: { $0[keyPath: property].map { .text($0.text) } },
            write: { facts, value in facts[keyPath: property] = value.map { Keywords(text: $0.text) } },
            shown: { $0.text.isEmpty ? nil : $0.text.replacing("\n", with: ", ") })
    }
}
