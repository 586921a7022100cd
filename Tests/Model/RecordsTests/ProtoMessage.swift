/// A message in protobuf's wire format, field by field, without the .proto: for messages that the product would not
/// write.
struct ProtoMessage {
    enum Value: Hashable {
        case number(UInt64)
        case fixed64(UInt64)
        case bytes([UInt8])
    }

    private var fields: [(number: Int, value: Value)] = []

    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let tag = Self.varint(&rest) else { return nil }
            switch tag & 7 {
            case 0:
                guard let value = Self.varint(&rest) else { return nil }
                fields.append((Int(tag >> 3), .number(value)))
            case 1:
                fields.append((Int(tag >> 3), .fixed64(rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })))
                rest = rest.dropFirst(8)
            case 2:
                guard let count = Self.varint(&rest) else { return nil }
                fields.append((Int(tag >> 3), .bytes(Array(rest.prefix(Int(count))))))
                rest = rest.dropFirst(Int(count))
            default: return nil
            }
        }
    }

    func without(_ number: Int) -> ProtoMessage {
        var copy = self
        copy.fields.removeAll { $0.number == number }
        return copy
    }

    func with(_ number: Int, _ value: Value) -> ProtoMessage {
        var copy = without(number)
        copy.fields.append((number, value))
        return copy
    }

    func nested(_ number: Int, _ change: (ProtoMessage) -> ProtoMessage) -> ProtoMessage {
        guard case .bytes(let bytes)? = fields.last(where: { $0.number == number })?.value,
            let inner = ProtoMessage(bytes)
        else { return self }
        return with(number, .bytes(change(inner).bytes))
    }

    var bytes: [UInt8] {
        fields.flatMap { field -> [UInt8] in
            switch field.value {
            case .number(let value): Self.varint(UInt64(field.number) << 3) + Self.varint(value)
            case .fixed64(let value):
                Self.varint(UInt64(field.number) << 3 | 1)
                    + (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
            case .bytes(let value):
                Self.varint(UInt64(field.number) << 3 | 2) + Self.varint(UInt64(value.count)) + value
            }
        }
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }

    private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var value: UInt64 = 0
        for shift in stride(from: 0, to: 70, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            value |= UInt64(byte & 127) << shift
            if byte < 128 { return value }
        }
        return nil
    }
}
