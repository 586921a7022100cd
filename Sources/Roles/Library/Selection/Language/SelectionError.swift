/// Why a text is no selection, where, and what to write instead.
public struct SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The character at which it is wrong, from 1.
    public let column: Int
    /// What is wrong, with its remedy.
    public let message: String

    /// `column 14: there is no field "kamera"; did you mean camera?`
    public var description: String { "column \(column): \(message)" }
}
