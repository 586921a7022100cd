/// The keywords that people gave a photo, as the library keeps them: few, short, without control characters, each once.
///
/// They come from anywhere, so that every way to make the value cleans and bounds them. The photo's own XMP has what is left out.
public struct Keywords: Hashable, Sendable {
    /// In the order in which they were written; at most `maxCount`, none empty or longer than `maxWordBytes`.
    public let words: [String]

    /// So many are kept.
    public static let maxCount = 200
    /// Longer ones are cut, in bytes of UTF-8. IPTC allows 64.
    public static let maxWordBytes = 128
    /// Of all together, in bytes: what comes after that is left out.
    public static let maxBytes = 4096

    /// Cleans texts that may be anything.
    public init(_ texts: some Sequence<String> = []) {
        var words: [String] = []
        var seen: Set<String> = []
        var left = Self.maxBytes
        for text in texts {
            let word = Self.clean(text)
            guard !word.isEmpty, seen.insert(word.lowercased()).inserted else { continue }
            left -= word.utf8.count + 1
            guard left >= 0, words.count < Self.maxCount else { break }
            words.append(word)
        }
        self.words = words
    }

    /// Reads what `text` gave.
    public init(text: String) { self.init(text.split(separator: "\n").lazy.map(String.init)) }

    /// One in each line; empty for none.
    public var text: String { words.joined(separator: "\n") }

    /// In one line, cut between two characters.
    private static func clean(_ text: String) -> String {
        var word = String.UnicodeScalarView()
        var bytes = 0
        var isSpaced = false
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: isSpaced = !word.isEmpty
            default:
                bytes += UTF8.width(scalar) + (isSpaced ? 1 : 0)
                if bytes > maxWordBytes { return String(word) }
                if isSpaced { word.append(" ") }
                isSpaced = false
                word.append(scalar)
            }
        }
        return String(word)
    }
}
