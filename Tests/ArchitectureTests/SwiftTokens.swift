/// A word of Swift code with its context.
struct SwiftToken: Hashable {
    let text: String
    /// Number of open braces around it.
    let depth: Int
    /// True for `B` in `A.B`.
    let isMember: Bool
}

/// Reads the words of Swift code, including interpolated code. Comments and the text of string literals are skipped.
struct SwiftTokens {
    private let bytes: [UInt8]
    private var index = 0
    private var depth = 0
    private var isMember = false
    private(set) var tokens: [SwiftToken] = []

    static func words(in source: String) -> [SwiftToken] {
        var reader = SwiftTokens(bytes: Array(source.utf8))
        reader.readCode(endingAtParenthesis: false)
        return reader.tokens
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private func byte(_ ahead: Int = 0) -> UInt8 { index + ahead < bytes.count ? bytes[index + ahead] : 0 }

    private func begins(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in bytes[index...].starts(with: text) }
    }

    private mutating func skip() { index += 1 }

    /// - Parameter endingAtParenthesis: true within an interpolation, which ends at an unmatched `)`.
    private mutating func readCode(endingAtParenthesis: Bool) {
        var open = 0
        while index < bytes.count {
            switch byte() {
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
                while index < bytes.count, byte() != UInt8(ascii: "\n") { index += 1 }
            case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipComment()
            case UInt8(ascii: "\""): readLiteral(hashes: 0)
            case UInt8(ascii: "#"): readHashes()
            case UInt8(ascii: "("):
                open += 1
                skipMark()
            case UInt8(ascii: ")"):
                open -= 1
                skipMark()
                if endingAtParenthesis, open < 0 { return }
            case UInt8(ascii: "{"):
                depth += 1
                skipMark()
            case UInt8(ascii: "}"):
                depth -= 1
                skipMark()
            case let byte where Self.isWord(byte): readWord()
            case UInt8(ascii: "."):
                skip()
                isMember = true
            case UInt8(ascii: " "), UInt8(ascii: "\n"): skip()
            default: skipMark()
            }
        }
    }

    private mutating func skipMark() {
        isMember = false
        skip()
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private mutating func readWord() {
        let start = index
        while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        tokens.append(SwiftToken(text: text, depth: depth, isMember: isMember))
        isMember = false
    }

    /// Comments nest.
    private mutating func skipComment() {
        var open = 0
        repeat {
            if begins("/*") {
                open += 1
                index += 2
            } else if begins("*/") {
                open -= 1
                index += 2
            } else {
                skip()
            }
        } while open > 0 && index < bytes.count
    }

    /// A raw literal, `#"…"#`, or a directive such as `#if`.
    private mutating func readHashes() {
        var hashes = 0
        while byte() == UInt8(ascii: "#") {
            hashes += 1
            index += 1
        }
        if byte() == UInt8(ascii: "\"") { readLiteral(hashes: hashes) } else { isMember = false }
    }

    private mutating func readLiteral(hashes: Int) {
        let isLong = begins("\"\"\"")
        let quotes = isLong ? 3 : 1
        index += quotes
        isMember = false
        while index < bytes.count {
            if byte() == UInt8(ascii: "\\"), hasHashes(hashes, at: 1) {
                index += 1 + hashes
                let isInterpolation = byte() == UInt8(ascii: "(")
                skip()
                if isInterpolation { readCode(endingAtParenthesis: true) }
            } else if isLong ? begins("\"\"\"") : byte() == UInt8(ascii: "\""), hasHashes(hashes, at: quotes) {
                index += quotes + hashes
                return
            } else if !isLong, byte() == UInt8(ascii: "\n") {
                // Not a literal, for example in a regular expression.
                return
            } else {
                skip()
            }
        }
    }

    private func hasHashes(_ count: Int, at ahead: Int) -> Bool {
        (0..<count).allSatisfy { byte(ahead + $0) == UInt8(ascii: "#") }
    }
}
