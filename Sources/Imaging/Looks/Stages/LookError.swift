/// An invalid look, with a sentence for the user.
public struct LookError: Error, Equatable, CustomStringConvertible {
    /// The sentence, without a full stop.
    public let description: String
    /// The wrong parameter of a step; nil for other errors.
    let parameter: String?

    /// - Parameter description: the sentence, without a full stop.
    public init(_ description: String) { self.init(description, parameter: nil) }

    init(_ description: String, parameter: String?) {
        self.description = description
        self.parameter = parameter
    }
}
