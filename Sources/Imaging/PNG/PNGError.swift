/// A PNG file that cannot be read or written, with the remedy.
public struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Problem and remedy, in one sentence without a full stop.
    public let description: String

    /// - Parameters:
    ///   - problem: a clause.
    ///   - remedy: a clause in the imperative.
    public init(_ problem: String, _ remedy: String) { description = "\(problem); \(remedy)" }

    static let cutOff = PNGError("the PNG file is cut off", "copy or save it again")
    static let damaged = PNGError("the PNG file is damaged", "copy or save it again")
}
