/// User names and passwords in addresses: `http://name:password@host`.
public enum Credentials {
    /// Replaces credentials by `…`, for messages and logs: in a word with a scheme everything between `://` and the
    /// last `@`, because a password may contain any character; otherwise everything before the last `@` if it contains
    /// a colon.
    public static func hidden(in text: String) -> String {
        text.split(separator: " ", omittingEmptySubsequences: false).map(hiddenInWord).joined(separator: " ")
    }

    private static func hiddenInWord(_ word: Substring) -> String {
        guard let at = word.lastIndex(of: "@") else { return String(word) }
        let scheme = word[..<at].firstRange(of: "://")
        let start = scheme?.upperBound ?? word.startIndex
        // `photos@home.jpg` is not an address.
        guard scheme != nil || word[start..<at].contains(":") else { return String(word) }
        return String(word[..<start]) + "…" + String(word[at...])
    }
}
