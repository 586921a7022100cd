/// Writes JSON (RFC 8259) as valid UTF-8 on one line. Call its methods in document order; it adds the commas.
///
///     var json = JSONWriter()
///     json.object { json in
///         json.field("event", "completed")
///         json.object("milliseconds") { $0.field("decode", 78.5) }
///     }
public struct JSONWriter: Sendable {
    /// The document so far.
    public private(set) var bytes: [UInt8] = []
    private var followsValue = false

    /// Creates an empty document.
    public init() {}

    /// Moves the bytes out, leaving none.
    mutating func take() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// The document so far, as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Writes an object as a line of text, without line end.
    public static func line(_ fields: (inout JSONWriter) throws -> Void) rethrows -> String {
        var json = JSONWriter()
        try json.object(fields)
        return json.text
    }

    /// Writes an object, as the document or an array element.
    public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
        try nested("{", "}", body)
    }

    /// Writes an object as a field.
    public mutating func object(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try nested("{", "}", body)
    }

    /// Writes an array as a field. `object` and `element` write its elements.
    public mutating func array(_ name: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
        key(name)
        try nested("[", "]", body)
    }

    /// Writes an array as an array element.
    public mutating func array(_ body: (inout JSONWriter) throws -> Void) rethrows { try nested("[", "]", body) }

    /// Writes a text.
    public mutating func field(_ name: String, _ value: String) { field(name, .text(value)) }
    /// Writes a whole number, clamped to 64 bits.
    public mutating func field(_ name: String, _ value: some BinaryInteger) { field(name, LogValue(value)) }
    /// Writes a number, or `null` if it is not finite.
    public mutating func field(_ name: String, _ value: Double) { field(name, .real(value)) }
    /// Writes a boolean.
    public mutating func field(_ name: String, _ value: Bool) { field(name, .boolean(value)) }

    /// Writes a file name or path. Invalid UTF-8 becomes U+FFFD.
    public mutating func field(_ name: String, bytes value: some Collection<UInt8>) {
        field(name, .text(String(decoding: value, as: UTF8.self)))
    }

    /// Writes any value; nil becomes `null`.
    public mutating func field(_ name: String, _ value: LogValue?) {
        key(name)
        append(value)
    }

    /// Writes an array element.
    public mutating func element(_ value: LogValue) { append(value) }

    private mutating func nested(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) throws -> Void
    ) rethrows {
        begin(open)
        try body(&self)
        end(close)
    }

    /// Opens an object or an array, which the caller ends.
    mutating func begin(_ bracket: Unicode.Scalar) {
        separate()
        bytes.append(UInt8(ascii: bracket))
        followsValue = false
    }

    mutating func end(_ bracket: Unicode.Scalar) {
        bytes.append(UInt8(ascii: bracket))
        followsValue = true
    }

    mutating func key(_ name: String) {
        separate()
        JSONText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        followsValue = false
    }

    /// Writes a value: of a field whose key is written, of an array, or of the document.
    mutating func append(_ value: LogValue?) {
        separate()
        switch value {
        case .text(let text): JSONText.append(text, to: &bytes)
        case .integer(let number): bytes += number.description.utf8
        // JSON has no infinity or NaN.
        case .real(let number): bytes += (number.isFinite ? number.description : "null").utf8
        case .boolean(let flag): bytes += flag.description.utf8
        case nil: bytes += "null".utf8
        }
        followsValue = true
    }

    private mutating func separate() {
        if followsValue { bytes.append(UInt8(ascii: ",")) }
        followsValue = false
    }
}

enum JSONText {
    /// Appends a quoted string. Escapes control characters, so that the result is one line and a file's name cannot
    /// send control sequences to a terminal.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        guard text.utf8.contains(where: mayNeedEscape) else {
            bytes += text.utf8
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += Array(#"\""#.utf8)
            case "\\": bytes += Array(#"\\"#.utf8)
            case "\n": bytes += Array(#"\n"#.utf8)
            case "\r": bytes += Array(#"\r"#.utf8)
            case "\t": bytes += Array(#"\t"#.utf8)
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": bytes += escaped(scalar)
            default: bytes += Array(scalar.utf8)
            }
        }
    }

    /// True for characters that are escaped, and for the first bytes of U+0080 to U+009F, U+2028 and U+2029.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x7F, 0xC2, 0xE2: true
        default: false
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> [UInt8] {
        let digits = String(scalar.value, radix: 16)
        return Array((#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    }
}
