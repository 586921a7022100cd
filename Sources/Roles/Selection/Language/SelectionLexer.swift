struct SelectionToken: Hashable {
    enum Content: Hashable {
        /// A name or a keyword, in lower case.
        case word(String)
        case text(String)
        /// As written, so that a year keeps its digits.
        case number(Double, written: String)
        /// `= != < <= > >= ( ) ,`
        case sign(String)
        case end
    }

    let content: Content
    /// The column, from 1.
    let column: Int
}

struct SelectionLexer {
    private let bytes: [UInt8]
    /// The number of the character at each offset; continuation bytes do not count.
    private let columns: [Int]
    private var offset = 0
    private var tokens: [SelectionToken] = []

    /// - Returns: the tokens, which end with `end`.
    static func tokens(of text: String) throws(SelectionError) -> [SelectionToken] {
        var lexer = SelectionLexer(bytes: Array(text.utf8))
        while try lexer.readToken() {}
        lexer.add(.end, at: lexer.bytes.count)
        return lexer.tokens
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
        var columns = [1]
        for byte in bytes.dropFirst() + [0] { columns.append((columns.last ?? 0) + (byte & 0xC0 == 0x80 ? 0 : 1)) }
        self.columns = columns
    }

    private mutating func add(_ content: SelectionToken.Content, at start: Int) {
        tokens.append(SelectionToken(content: content, column: columns[start]))
    }

    private func error(_ offset: Int, _ message: String) -> SelectionError {
        SelectionError(column: columns[offset], message: message)
    }

    private func peek(_ ahead: Int = 0) -> UInt8? { offset + ahead < bytes.count ? bytes[offset + ahead] : nil }

    private mutating func readToken() throws(SelectionError) -> Bool {
        while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
        guard let byte = peek() else { return false }
        switch byte {
        case UInt8(ascii: "'"): try readText()
        case UInt8(ascii: "\""): throw error(offset, "text stands in single quotes: 'velvet'")
        case _ where Self.isLetter(byte): readWord()
        case _ where Self.isDigit(byte): try readNumber()
        case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."): try readNumber()
        default: try readSign(byte)
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private mutating func readWord() {
        let start = offset
        while let byte = peek(), Self.isLetter(byte) || Self.isDigit(byte) { offset += 1 }
        add(.word(String(decoding: bytes[start..<offset], as: UTF8.self).lowercasedASCII), at: start)
    }

    /// `'it''s'` is the text `it's`.
    private mutating func readText() throws(SelectionError) {
        let start = offset
        var text: [UInt8] = []
        offset += 1
        while let byte = peek() {
            offset += 1
            if byte == 0 { throw error(offset - 1, "text must not contain a NUL character") }
            if byte == UInt8(ascii: "'") {
                guard peek() == byte else { return add(.text(String(decoding: text, as: UTF8.self)), at: start) }
                offset += 1
            }
            text.append(byte)
        }
        throw error(start, "missing closing quote for the text that begins here")
    }

    private static let maxDigits = 24

    private mutating func readNumber() throws(SelectionError) {
        let start = offset
        if bytes[start] == UInt8(ascii: "-") || bytes[start] == UInt8(ascii: "+") { offset += 1 }
        while let byte = peek(), Self.isDigit(byte) || byte == UInt8(ascii: ".") { offset += 1 }
        let written = String(decoding: bytes[start..<offset], as: UTF8.self)
        guard written.utf8.last.map(Self.isDigit) == true, written.utf8.count <= Self.maxDigits,
            let number = Double(written)
        else { throw error(start, "not a valid number; write for example 24, -0.5 or 2400") }
        if let next = peek(), Self.isLetter(next) || next == UInt8(ascii: "-") || next == UInt8(ascii: ":") {
            throw error(start, "a space must follow a number; write dates and text in single quotes: '2014-06'")
        }
        add(.number(number, written: written), at: start)
    }

    private mutating func readSign(_ byte: UInt8) throws(SelectionError) {
        let start = offset
        for sign in ["!=", "<>", "<=", ">=", "==", "<", ">", "=", "(", ")", ","]
        where bytes[offset...].starts(with: Array(sign.utf8)) {
            if sign == "==" { throw error(offset, "write a single = to compare") }
            offset += sign.utf8.count
            return add(.sign(sign == "<>" ? "!=" : sign), at: start)
        }
        // The whole character, not only its first byte.
        let rest = String(decoding: bytes[offset...], as: UTF8.self)
        let shown = rest.first.map(String.init) ?? "?"
        throw error(
            offset, "unexpected \"\(shown)\"; example of a condition: camera like 'NIKON%' and taken < 2015")
    }
}
