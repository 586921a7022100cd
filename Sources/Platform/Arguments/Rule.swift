/// A condition that a value must fulfil beyond its type.
public struct Rule<Value>: Sendable {
    let expected: String
    let holds: @Sendable (Value) -> Bool

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - expected: what is valid, as the end of a sentence that begins with "must be".
    ///   - holds: whether a value fulfils the rule.
    public init(_ expected: String, _ holds: @escaping @Sendable (Value) -> Bool) {
        self.expected = expected
        self.holds = holds
    }
}

extension Rule where Value: Comparable & ArgumentValue {
    /// The value must be in the range.
    public static func within(_ range: ClosedRange<Value>) -> Rule {
        let kind = Value.self == Double.self ? "a number" : "a whole number"
        return Rule("\(kind) from \(range.lowerBound.argumentText) to \(range.upperBound.argumentText)") {
            range.contains($0)
        }
    }
}
