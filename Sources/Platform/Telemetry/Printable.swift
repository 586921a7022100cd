/// Text from outside (file names, a camera's words), made safe for a terminal: control characters, which could steer
/// it or forge a line, show as `\x1b`; bytes that are no UTF-8 show as U+FFFD.
public enum Printable {
    public static func text(_ bytes: some Collection<UInt8>) -> String { text(String(decoding: bytes, as: UTF8.self)) }

    public static func text(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var safe = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            safe.append(contentsOf: isControl(scalar) ? escape(scalar).unicodeScalars : String(scalar).unicodeScalars)
        }
        return String(safe)
    }

    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029: true
        // Marks that turn the direction of writing can make a name look like another.
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return scalar.value < 0x100 ? #"\x"# + (digits.count < 2 ? "0" : "") + digits : #"\u{"# + digits + "}"
    }
}
