/// A choice among a library's photos, as a person wrote it: `look = 'velvet@1' and camera like 'NIKON%' and taken < 2015`. The
/// page "Selecting photos" of the documentation has the language.
///
/// It is a value: text of the same meaning need not be equal, the text of one selection always makes the same one again.
public struct Selection: Hashable, Sendable, CustomStringConvertible {
    /// What a person wrote.
    public let text: String
    /// What it means.
    let condition: SelectionCondition

    /// Longer texts are refused, in bytes.
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

    /// What a person wrote.
    public var description: String { text }
}
