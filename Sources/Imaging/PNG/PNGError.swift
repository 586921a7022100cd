/// Why a PNG file cannot be read, and what to do.
public struct PNGError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, and what to do, in one sentence without a full stop.
    public let description: String

    /// - Parameters:
    ///   - problem: what is wrong, as a part of a sentence.
    ///   - remedy: what to do, as a part of a sentence.
    public init(_ problem: String, _ remedy: String) { description = "\(problem); \(remedy)" }

    static let cutOff = PNGError("the PNG file is cut off", "copy or save it again")
    static let damaged = PNGError("the PNG file is damaged", "copy or save it again")
}
