/// Escapes text and bytes in Rawmill's own properties, so that any value survives unchanged.
///
/// XML cannot hold control characters, which the library turns into blanks, and Linux file names are arbitrary bytes.
/// `%`, control characters other than line feed and tab, bytes that are not valid UTF-8, and the two non-characters
/// that XML forbids are therefore written as `%` and two hexadecimal digits per byte.
enum PacketText {
    static func escape(_ bytes: [UInt8]) -> String {
        // Fast path: most text is plain ASCII.
        if bytes.allSatisfy({ $0 < 0x80 && isPlain(Unicode.Scalar($0)) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text = ""
        var decoder = UTF8Parts(bytes: bytes)
        while let part = decoder.next() {
            if let scalar = part.scalar, isPlain(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in part.bytes { text += percent(byte) }
            }
        }
        return text
    }

    static func escape(_ text: String) -> String { escape(Array(text.utf8)) }

    /// Nil for a `%` without two hexadecimal digits.
    static func bytes(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// Nil also for invalid UTF-8.
    static func text(_ text: String) -> String? {
        bytes(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: true
        case 0..<0x20, 0x7F, 0x25, 0xFFFE, 0xFFFF: false
        default: true
        }
    }

    private static func percent(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0" + digits : "%" + digits
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

/// Splits bytes into UTF-8 scalars and single invalid bytes.
private struct UTF8Parts {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> (scalar: Unicode.Scalar?, bytes: ArraySlice<UInt8>)? {
        guard offset < bytes.count else { return nil }
        let length = Self.length(bytes[offset])
        let part = bytes[offset..<min(offset + length, bytes.count)]
        if let text = String(validating: part, as: UTF8.self), text.unicodeScalars.count == 1 {
            offset += part.count
            return (text.unicodeScalars.first, part)
        }
        offset += 1
        return (nil, bytes[(offset - 1)..<offset])
    }

    private static func length(_ first: UInt8) -> Int {
        switch first {
        case 0..<0x80: 1
        case 0xC0..<0xE0: 2
        case 0xE0..<0xF0: 3
        case 0xF0...: 4
        default: 1
        }
    }
}
