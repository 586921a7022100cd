/// The fields of an object of JSON in their order, for reports whose shape no type has: `["photos": 3, "album": nil]`.
public struct JSONFields: Encodable, ExpressibleByDictionaryLiteral {
    private var fields: [(name: String, value: (any Encodable)?)]

    /// Fields as a literal; nil stands as `null`.
    public init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }

    /// Fields whose names are data, in this order.
    public init(_ fields: some Sequence<(String, (any Encodable)?)>) {
        self.fields = fields.map { (name: $0.0, value: $0.1) }
    }

    /// The fields of both, in their order.
    public static func + (first: JSONFields, second: JSONFields) -> JSONFields {
        var joined = first
        joined.fields += second.fields
        return joined
    }

    /// Adds fields behind those that are there.
    public static func += (fields: inout JSONFields, further: JSONFields) { fields = fields + further }

    /// Encodes the fields in their order.
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
