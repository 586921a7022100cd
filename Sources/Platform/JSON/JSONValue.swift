internal import CJansson

/// A JSON value (RFC 8259), parsed by Jansson.
public enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// Written without a point or an exponent.
    case integer(Int64)
    case real(Double)
    case text(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// A syntax error.
    public struct SyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
        /// From 1.
        public let line: Int
        /// From 1, in characters.
        public let column: Int
        /// What is wrong, without a full stop.
        public let message: String

        /// Place and cause.
        public var description: String { "line \(line), column \(column): \(message)" }
    }

    /// Parses a UTF-8 document. Duplicate names in an object and more than 64 levels of nesting are errors.
    public init(parsing bytes: [UInt8]) throws(SyntaxError) {
        var error = json_error_t()
        let parsed = unsafe bytes.withUnsafeBytes { bytes in
            unsafe rawmill_json_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, &error)
        }
        guard let parsed = unsafe parsed else { throw SyntaxError(error) }
        defer { unsafe rawmill_json_release(parsed) }
        guard let value = unsafe Self(parsed, depth: 0) else {
            throw SyntaxError(line: 1, column: 1, message: "it is nested too deeply")
        }
        self = value
    }

    /// Nil if nested too deeply.
    private init?(_ value: UnsafeMutablePointer<json_t>, depth: Int) {
        guard depth < 64 else { return nil }
        switch UInt32(unsafe rawmill_json_kind(value)) {
        case JSON_TRUE.rawValue: self = .boolean(true)
        case JSON_FALSE.rawValue: self = .boolean(false)
        case JSON_INTEGER.rawValue: self = .integer(unsafe json_integer_value(value))
        case JSON_REAL.rawValue: self = .real(unsafe json_real_value(value))
        case JSON_STRING.rawValue: self = .text(unsafe Self.text(value))
        case JSON_ARRAY.rawValue:
            var elements: [JSONValue] = []
            for index in 0..<(unsafe json_array_size(value)) {
                guard let element = unsafe json_array_get(value, index),
                    let read = unsafe JSONValue(element, depth: depth + 1)
                else { return nil }
                elements.append(read)
            }
            self = .array(elements)
        case JSON_OBJECT.rawValue:
            var fields: [String: JSONValue] = [:]
            var next = unsafe json_object_iter(value)
            while let field = unsafe next {
                guard let name = unsafe json_object_iter_key(field), let element = unsafe json_object_iter_value(field),
                    let read = unsafe JSONValue(element, depth: depth + 1)
                else { return nil }
                fields[unsafe String(cString: name)] = read
                unsafe next = unsafe json_object_iter_next(value, field)
            }
            self = .object(fields)
        default: self = .null
        }
    }

    private static func text(_ value: UnsafeMutablePointer<json_t>) -> String {
        guard let start = unsafe json_string_value(value) else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: json_string_length(value))
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}

extension JSONValue.SyntaxError {
    fileprivate init(_ error: json_error_t) {
        let message = unsafe withUnsafeBytes(of: error.text) { text in
            unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
        }
        self.init(line: max(1, Int(error.line)), column: max(1, Int(error.column)), message: message)
    }
}

extension JSONValue {
    /// A field of an object; nil if it is missing or this is not an object.
    public subscript(_ name: String) -> JSONValue? { if case .object(let fields) = self { fields[name] } else { nil } }

    /// The text; nil for other types.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
    /// The whole number; nil for other types.
    public var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    /// The number, whole or not; nil for other types.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }
    /// The boolean; nil for other types.
    public var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    /// The elements; nil for other types.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    /// The elements of an array of texts; nil for other types.
    public var texts: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
}
