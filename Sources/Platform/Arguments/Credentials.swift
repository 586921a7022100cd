/// Names and passwords that people write into addresses: `http://name:password@host`.
public enum Credentials {
    /// A text with `…` in place of what may be a name and a password, for messages and logs.
    ///
    /// In a word with a scheme that is everything between `://` and the last `@`, because a password may contain anything.
    /// In a word without one it is everything before the last `@`, where that contains a colon.
    public static func hidden(in text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map(hiddenInWord).joined(separator: " ")
    }

    private static func hiddenInWord(_ word: Substring) -> String {
        guard let at = word.lastIndex(of: "@") else { return String(word) }
        let scheme = word[..<at].firstRange(of: "://")
        let start = scheme?.upperBound ?? word.startIndex
        // `photos@home.jpg` is no address.
        guard scheme != nil || word[start..<at].contains(":") else { return String(word) }
        return String(word[..<start]) + "…" + String(word[at...])
    }
}
