/// An ordered JSON object without a type of its shape: `["photos": 3, "album": nil]`.
public struct JSONFields: Encodable, ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: (any Encodable)?)]

    /// Creates an object from a literal; nil becomes `null`.
    public init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Creates an object whose field names are data, in this order.
    public init(_ fields: some Sequence<(String, (any Encodable)?)>) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The fields of both, in order.
    public static func + (first: JSONFields, second: JSONFields) -> JSONFields {
        var joined = first
        joined.fields += second.fields
        return joined
    }

    /// Appends fields.
    public static func += (fields: inout JSONFields, further: JSONFields) { fields = fields + further }

    /// Encodes the fields in order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in fields {
            if let value {
                try container.encode(value, forKey: Name(stringValue: name))
            } else {
                try container.encodeNil(forKey: Name(stringValue: name))
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
