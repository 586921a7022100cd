/// Makes text from outside, such as file names, safe for a terminal. Control characters, which could move the cursor or
/// forge a line, become `\x1b`; invalid UTF-8 becomes U+FFFD.
public enum TerminalText {
    /// Bytes as text that is safe to print.
    public static func escape(_ bytes: some Collection<UInt8>) -> String {
        escape(String(decoding: bytes, as: UTF8.self))
    }

    /// Escapes all control characters.
    public static func escape(_ text: String) -> String {
        // Fast path: printable ASCII.
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(
                contentsOf: isControl(scalar) ? escapeSequence(scalar).unicodeScalars : String(scalar).unicodeScalars)
        }
        return String(safe)
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        // Bidirectional controls can make one name look like another.
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func escapeSequence(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return scalar.value < 0x100 ? #"\x"# + (digits.count < 2 ? "0" : "") + digits : #"\u{"# + digits + "}"
    }
}
