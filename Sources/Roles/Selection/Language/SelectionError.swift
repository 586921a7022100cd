/// Why a text is not a valid selection, with the place and the remedy.
public struct SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The position of the error in characters, from 1.
    public let column: Int
    /// The cause and the remedy.
    public let message: String

    /// `column 14: there is no field "kamera"; did you mean camera?`
    public var description: String { "column \(column): \(message)" }
}
