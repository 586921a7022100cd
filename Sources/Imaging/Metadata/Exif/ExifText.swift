/// Cleans text fields, so that every reader understands them.
enum ExifText {
    /// The text in UTF-8, without control characters, NULs and padding; nil if nothing remains.
    ///
    /// Text that is not valid UTF-8 is read as Latin-1, which cameras with a © in their menus write. Parts between NULs
    /// are joined by "; ": Copyright has two, for photographer and editor.
    static func clean(_ bytes: [UInt8]) -> String? {
        let parts = bytes.split(separator: 0).compactMap { part -> String? in
            let text = String(validating: part, as: UTF8.self) ?? latin1(part)
            return trimmed(text)
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    private static func latin1(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
        return text
    }

    /// Replaces control characters by blanks, and trims.
    static func trimmed(_ text: String) -> String? {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
            scalars.append(isControl ? " " : scalar)
        }
        while scalars.last == " " { scalars.removeLast() }
        let result = scalars.drop { $0 == " " }
        return result.isEmpty ? nil : String(result)
    }

    /// Whether the text is a valid `YYYY:MM:DD HH:MM:SS`.
    static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 19, matches(bytes, "dddd:dd:dd dd:dd:dd") else { return false }
        let ranges: [(Int, ClosedRange<Int>)] = [
            (0, 1...99), (2, 0...99), (5, 1...12), (8, 1...31), (11, 0...23), (14, 0...59), (17, 0...59),
        ]
        // The year is two pairs of digits; years before 100 are invalid.
        return ranges.allSatisfy { offset, range in range.contains(twoDigits(bytes, offset)) }
    }

    /// Whether the text is `+HH:MM` or `-HH:MM`, as OffsetTime requires.
    static func isOffset(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard matches(bytes, "+dd:dd") || matches(bytes, "-dd:dd") else { return false }
        return twoDigits(bytes, 1) <= 14 && twoDigits(bytes, 4) <= 59
    }

    /// Whether the text is `YYYY:MM:DD`, as GPSDateStamp requires.
    static func isDay(_ text: String) -> Bool { isDate(text + " 00:00:00") }

    private static func matches(_ bytes: [UInt8], _ pattern: String) -> Bool {
        bytes.count == pattern.utf8.count
            && zip(bytes, pattern.utf8).allSatisfy { byte, expected in
                expected == UInt8(ascii: "d") ? (0x30...0x39).contains(byte) : byte == expected
            }
    }

    private static func twoDigits(_ bytes: [UInt8], _ offset: Int) -> Int {
        Int(bytes[offset] - 0x30) * 10 + Int(bytes[offset + 1] - 0x30)
    }
}
