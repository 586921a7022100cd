/// A condition on a value beyond its type.
public struct Rule<Value>: Sendable {
    let expected: String
    let holds: @Sendable (Value) -> Bool

    /// Creates a rule.
    ///
    /// - Parameter expected: what is valid, completing "must be".
    public init(_ expected: String, _ holds: @escaping @Sendable (Value) -> Bool) {
        self.expected = expected
        self.holds = holds
    }
}

extension Rule where Value: Comparable & ArgumentValue {
    /// Requires a value in a range.
    public static func within(_ range: ClosedRange<Value>) -> Rule {
        let kind = Value.self == Double.self ? "a number" : "a whole number"
        return Rule("\(kind) from \(range.lowerBound.argumentText) to \(range.upperBound.argumentText)") {
            range.contains($0)
        }
    }
}
