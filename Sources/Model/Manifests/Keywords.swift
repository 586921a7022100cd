/// A photo's keywords as the library stores them: few, short, distinct, without control characters.
///
/// They come from untrusted sources, so every initializer cleans and bounds them. The photo's own XMP keeps the rest.
public struct Keywords: Hashable, Sendable {
    /// At most `maxCount`, in their original order, none empty or longer than `maxWordBytes`.
    public let words: [String]

    /// The maximum number of keywords.
    public static let maxCount = 200
    /// The maximum length of a keyword, in bytes of UTF-8; the rest is cut. IPTC allows 64.
    public static let maxWordBytes = 128
    /// The maximum length of all keywords together, in bytes; the rest is dropped.
    public static let maxBytes = 4096

    /// Cleans untrusted texts.
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

    /// Parses `text`.
    public init(text: String) { self.init(text.split(separator: "\n").lazy.map(String.init)) }

    /// One keyword a line; empty for none.
    public var text: String { words.joined(separator: "\n") }

    /// A single line, cut between two characters.
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
