/// A user's selection of a library's photos: `look = 'velvet@1' and camera like 'NIKON%' and taken < 2015`. The page
/// "Selecting photos" of the documentation describes the language.
///
/// Two texts with the same meaning need not be equal; equal texts make equal selections.
public struct Selection: Hashable, Sendable, CustomStringConvertible {
    /// The text as written.
    public let text: String
    let condition: SelectionCondition

    /// The maximum length of a text in bytes.
    public static let maxBytes = 20_000

    /// Reads and checks a text.
    ///
    /// - Throws: `SelectionError` with the place in the text and the remedy.
    public init(_ text: String) throws(SelectionError) {
        guard text.utf8.count <= Self.maxBytes else {
            throw SelectionError(
                column: 1, message: "the condition is longer than \(Self.maxBytes) bytes; select in several steps")
        }
        var parser = SelectionParser(try SelectionLexer.tokens(of: text))
        self.text = text
        condition = try parser.parse()
    }

    /// The text as written.
    public var description: String { text }
}
