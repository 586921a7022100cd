extension JSONWriter {
    /// Encodes a value as a line of JSON, without line end. Fields appear in the order in which the value encodes them:
    /// declaration order for synthesised `encode(to:)`. Nil becomes `null`. The value's `encode(to:)` must not throw.
    public static func line(_ value: some Encodable) -> String {
        let document = JSONDocument()
        document.encode(value, depth: 0)
        return document.writer.text
    }

    /// Encodes a value as a line of JSON, as UTF-8.
    public static func bytes(_ value: some Encodable) -> [UInt8] {
        let document = JSONDocument()
        document.encode(value, depth: 0)
        return document.writer.take()
    }
}

/// A document that values are being encoded into.
///
/// Encoding containers have no end call. Each therefore knows its depth, and closes deeper containers before it writes.
final class JSONDocument {
    var writer = JSONWriter()
    /// Closing brackets of the open containers, outermost first.
    private var brackets: [Unicode.Scalar] = []

    /// Opens the container of the value at `depth`, or continues the one it opened before.
    func open(_ bracket: Unicode.Scalar, _ closing: Unicode.Scalar, at depth: Int) {
        close(to: depth + 1)
        guard brackets.count == depth else { return }
        writer.begin(bracket)
        brackets.append(closing)
    }

    func close(to depth: Int) {
        while brackets.count > depth { writer.end(brackets.removeLast()) }
    }

    func key(_ name: String, depth: Int) {
        close(to: depth)
        writer.key(name)
    }

    func append(_ value: LogValue?, depth: Int) {
        close(to: depth)
        writer.append(value)
    }

    /// - Parameter depth: number of open containers around the value.
    func encode(_ value: some Encodable, depth: Int) {
        close(to: depth)
        let length = writer.bytes.count
        do {
            try value.encode(to: JSONValueEncoder(document: self, depth: depth))
        } catch {
            preconditionFailure("\(type(of: value)) does not encode itself: \(error)")
        }
        close(to: depth)
        // The value encoded nothing; a field needs a value to be valid JSON.
        if writer.bytes.count == length { writer.append(nil) }
    }
}

private struct JSONValueEncoder: Encoder {
    let document: JSONDocument
    let depth: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        document.open("{", "}", at: depth)
        return KeyedEncodingContainer(JSONKeyedContainer(document: document, depth: depth + 1))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        document.open("[", "]", at: depth)
        return JSONUnkeyedContainer(document: document, depth: depth + 1)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        JSONSingleValueContainer(document: document, depth: depth)
    }
}

private struct JSONKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let document: JSONDocument
    /// Number of open containers, including this one.
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) {
        document.key(key.stringValue, depth: depth)
        document.append(nil, depth: depth)
    }

    func encode(_ value: some Encodable, forKey key: Key) {
        document.key(key.stringValue, depth: depth)
        document.encode(value, depth: depth)
    }

    private func encodeOptional(_ value: (some Encodable)?, _ key: Key) {
        if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    // Synthesised `encode(to:)` calls these for optionals. The default implementations omit nil fields and take
    // precedence over a generic function, hence one overload per type.
    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { encodeOptional(value, key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        document.key(key.stringValue, depth: depth)
        return JSONValueEncoder(document: document, depth: depth).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        document.key(key.stringValue, depth: depth)
        return JSONValueEncoder(document: document, depth: depth).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { JSONValueEncoder(document: document, depth: depth - 1) }
    func superEncoder(forKey key: Key) -> any Encoder {
        document.key(key.stringValue, depth: depth)
        return JSONValueEncoder(document: document, depth: depth)
    }
}

private struct JSONUnkeyedContainer: UnkeyedEncodingContainer {
    let document: JSONDocument
    /// Number of open containers, including this one.
    let depth: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(document: JSONDocument, depth: Int) {
        self.document = document
        self.depth = depth
    }

    mutating func encodeNil() {
        document.append(nil, depth: depth)
        count += 1
    }

    mutating func encode(_ value: some Encodable) {
        document.encode(value, depth: depth)
        count += 1
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        document.close(to: depth)
        count += 1
        return JSONValueEncoder(document: document, depth: depth).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        document.close(to: depth)
        count += 1
        return JSONValueEncoder(document: document, depth: depth).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        document.close(to: depth)
        count += 1
        return JSONValueEncoder(document: document, depth: depth)
    }
}

private struct JSONSingleValueContainer: SingleValueEncodingContainer {
    let document: JSONDocument
    let depth: Int
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { document.append(nil, depth: depth) }
    func encode(_ value: Bool) { document.append(.boolean(value), depth: depth) }
    func encode(_ value: String) { document.append(.text(value), depth: depth) }
    func encode(_ value: Double) { document.append(.real(value), depth: depth) }
    func encode(_ value: Float) { document.append(.real(Double(value)), depth: depth) }
    func encode(_ value: some FixedWidthInteger & Encodable) { document.append(LogValue(value), depth: depth) }
    func encode(_ value: some Encodable) { document.encode(value, depth: depth) }
}
