extension JSONWriter {
    /// A value as JSON on one line, without the line's end. Fields stand in the order in which the value encodes them, which is
    /// that of their declaration where the compiler writes `encode(to:)`; nil stands as `null`.
    ///
    /// - Precondition: the value's own `encode(to:)` throws no error. Writing has none.
    public static func line(_ value: some Encodable) -> String {
        let document = JSONDocument()
        document.encode(value, depth: 0)
        return document.writer.text
    }

    /// A value as JSON on one line, as UTF-8.
    public static func bytes(_ value: some Encodable) -> [UInt8] {
        let document = JSONDocument()
        document.encode(value, depth: 0)
        return document.writer.take()
    }
}

/// A document that values are being encoded into.
///
/// Containers of the standard library are never closed by those who write into them. Each therefore knows how deep it lies, and
/// what is still open deeper is closed before it writes on.
final class JSONDocument {
    var writer = JSONWriter()
    /// The closing brackets of what is open, the outermost first.
    private var brackets: [Unicode.Scalar] = []

    /// Opens the container of the value at a depth, or goes on in the one that the value opened before.
    func open(_ bracket: Unicode.Scalar, _ closing: Unicode.Scalar, at depth: Int) {
        close(to: depth + 1)
        guard brackets.count == depth else { return }
        writer.begin(bracket)
        brackets.append(closing)
    }

    /// Closes all that is open deeper.
    func close(to depth: Int) {
        while brackets.count > depth { writer.end(brackets.removeLast()) }
    }

    /// A field's name, whose value comes next.
    func key(_ name: String, depth: Int) {
        close(to: depth)
        writer.key(name)
    }

    func append(_ value: LogValue?, depth: Int) {
        close(to: depth)
        writer.append(value)
    }

    /// - Parameter depth: how many containers are open around the value.
    func encode(_ value: some Encodable, depth: Int) {
        close(to: depth)
        let length = writer.bytes.count
        do {
            try value.encode(to: JSONValueEncoder(document: self, depth: depth))
        } catch {
            preconditionFailure("\(type(of: value)) does not encode itself: \(error)")
        }
        close(to: depth)
        // A value that wrote nothing: a name alone would be no JSON.
        if writer.bytes.count == length { writer.append(nil) }
    }
}

/// Encodes one value at its place in a document.
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

/// The fields of an object.
private struct JSONKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let document: JSONDocument
    /// How many containers are open, this one among them.
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

    // The compiler's `encode(to:)` calls these where a property is optional. Their defaults leave the field out, and stand
    // before a generic function.
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

/// The elements of an array.
private struct JSONUnkeyedContainer: UnkeyedEncodingContainer {
    let document: JSONDocument
    /// How many containers are open, this one among them.
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

/// A value without parts.
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
