/// Why something is no look, as a sentence for a person.
public struct LookError: Error, Equatable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String
    /// The parameter of a step that is wrong; nil where it is something else.
    let parameter: String?

    /// - Parameter description: the sentence, without a full stop.
    public init(_ description: String) { self.init(description, parameter: nil) }

    /// The parameters are the properties of the same names.
    init(_ description: String, parameter: String?) {
        self.description = description
        self.parameter = parameter
    }
}
