/// Why something is no look, as a sentence for a person.
public struct LookError: Error, Equatable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String

    /// - Parameter description: the sentence, without a full stop.
    public init(_ description: String) { self.description = description }
}
