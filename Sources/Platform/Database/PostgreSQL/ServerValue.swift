/// Encodes and decodes PostgreSQL's binary formats, big-endian.
enum ServerValue {
    /// OIDs of PostgreSQL's types, from `pg_type.dat`.
    enum TypeID {
        static let bool: UInt32 = 16
        static let bytes: UInt32 = 17
        static let int8: UInt32 = 20
        static let int2: UInt32 = 21
        static let int4: UInt32 = 23
        static let text: UInt32 = 25
        static let float4: UInt32 = 700
        static let float8: UInt32 = 701
        static let varchar: UInt32 = 1043
        static let numeric: UInt32 = 1700
    }

    /// The type that holds a value unchanged; 0 for NULL, which fits any.
    static func type(of value: DatabaseValue) -> UInt32 {
        switch value {
        case .null: 0
        case .integer: TypeID.int8
        case .real: TypeID.float8
        case .text: TypeID.text
        case .blob: TypeID.bytes
        }
    }

    /// Whether a parameter of the type holds the value without loss.
    static func fits(_ value: DatabaseValue, _ type: UInt32) -> Bool {
        switch (value, type) {
        case (.null, _), (.integer, TypeID.int8), (.real, TypeID.float8), (.text, TypeID.text),
            (.text, TypeID.varchar), (.blob, TypeID.bytes):
            true
        case (.integer(let number), TypeID.int4): Int32(exactly: number) != nil
        case (.integer(let number), TypeID.bool): number == 0 || number == 1
        default: false
        }
    }

    /// The bytes of a value for a parameter type that it fits; nil for NULL.
    static func encode(_ value: DatabaseValue, as type: UInt32) -> [UInt8]? {
        switch value {
        case .null: nil
        case .integer(let number):
            switch type {
            case TypeID.int4: bytes(UInt32(bitPattern: Int32(truncatingIfNeeded: number)))
            case TypeID.bool: [UInt8(truncatingIfNeeded: number)]
            default: bytes(UInt64(bitPattern: number))
            }
        case .real(let number): bytes(number.bitPattern)
        // PostgreSQL's text cannot contain NUL; U+2400 replaces it.
        case .text(let text):
            text.utf8.contains(0) ? Array(text.replacing("\0", with: "\u{2400}").utf8) : Array(text.utf8)
        case .blob(let bytes): bytes
        }
    }

    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> Number($0 * 8)) }
    }

    static func name(of type: UInt32) -> String {
        switch type {
        case TypeID.bool: "boolean"
        case TypeID.bytes: "bytea"
        case TypeID.int2: "smallint"
        case TypeID.int4: "integer"
        case TypeID.int8: "bigint"
        case TypeID.float4: "real"
        case TypeID.float8: "double precision"
        case TypeID.numeric: "numeric"
        default: "text"
        }
    }

    static func encodeArray(_ values: some Collection<DatabaseValue>, of type: UInt32) -> [UInt8] {
        // Dimensions, NULL flag, element type, length, lower bound.
        var array = [1, 1, type, UInt32(values.count), 1].flatMap(bytes)
        for value in values { append(value, as: type, to: &array) }
        return array
    }

    /// Length and bytes of a value, as in arrays and COPY rows.
    static func append(_ value: DatabaseValue, as type: UInt32, to bytes: inout [UInt8]) {
        switch value {
        case .null: append(UInt32.max, to: &bytes)
        case .integer(let number) where type == TypeID.int8:
            append(UInt32(8), to: &bytes)
            append(UInt64(bitPattern: number), to: &bytes)
        case .text(let text) where !text.utf8.contains(0):
            append(UInt32(text.utf8.count), to: &bytes)
            bytes += text.utf8
        case .blob(let blob):
            append(UInt32(blob.count), to: &bytes)
            bytes += blob
        default:
            let element = encode(value, as: type) ?? []
            append(UInt32(element.count), to: &bytes)
            bytes += element
        }
    }

    static func append<Number: FixedWidthInteger>(_ number: Number, to array: inout [UInt8]) {
        for byte in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
            array.append(UInt8(truncatingIfNeeded: number >> Number(byte)))
        }
    }

    // MARK: Decoding

    /// Decodes an integer; 0 if the value is not a number.
    static func integer(_ bytes: [UInt8], _ type: UInt32) -> Int64 {
        switch type {
        case TypeID.int8, TypeID.int4, TypeID.int2: signed(bytes)
        case TypeID.bool: bytes.first == 1 ? 1 : 0
        case TypeID.numeric: wholeNumeric(bytes)
        case TypeID.float4, TypeID.float8: Int64(exactly: real(bytes, type).rounded(.towardZero)) ?? 0
        default: Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
        }
    }

    /// Decodes a floating-point number; 0 if the value is not a number.
    static func real(_ bytes: [UInt8], _ type: UInt32) -> Double {
        switch type {
        case TypeID.float8: Double(bitPattern: unsigned(bytes))
        case TypeID.float4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(bytes))))
        case TypeID.numeric: numeric(bytes)
        case TypeID.int8, TypeID.int4, TypeID.int2, TypeID.bool: Double(integer(bytes, type))
        default: Double(String(decoding: bytes, as: UTF8.self)) ?? 0
        }
    }

    /// Decodes text. Invalid UTF-8 is repaired.
    static func text(_ bytes: [UInt8], _ type: UInt32) -> String {
        switch type {
        case TypeID.int8, TypeID.int4, TypeID.int2, TypeID.bool, TypeID.numeric: "\(integer(bytes, type))"
        case TypeID.float4, TypeID.float8: "\(real(bytes, type))"
        default: String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func unsigned(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func signed(_ bytes: [UInt8]) -> Int64 {
        let shift = UInt64(max(0, 8 - bytes.count) * 8)
        return Int64(bitPattern: unsigned(bytes) << shift) >> Int64(shift)
    }

    // MARK: Decimal numbers, of sums

    /// Base-10,000 digits, weight of the first, and sign. Count, weight, sign, scale and digits have 16 bits each.
    private static func parts(_ bytes: [UInt8]) -> (digits: [Int64], weight: Int, isNegative: Bool) {
        let words = stride(from: 0, to: bytes.count - 1, by: 2).map { Int64(bytes[$0]) << 8 | Int64(bytes[$0 + 1]) }
        guard words.count >= 4 else { return ([], 0, false) }
        return (
            Array(words.dropFirst(4)), Int(Int16(truncatingIfNeeded: words[1])), words[2] == 0x4000
        )
    }

    private static func numeric(_ bytes: [UInt8]) -> Double {
        let (digits, weight, isNegative) = parts(bytes)
        var value = 0.0
        var unit = 1.0
        for _ in 0..<min(abs(weight), 80) { unit *= weight < 0 ? 1e-4 : 1e4 }
        for digit in digits {
            value += Double(digit) * unit
            unit /= 1e4
        }
        return isNegative ? -value : value
    }

    /// The integer part, exact; clamped to 64 bits.
    private static func wholeNumeric(_ bytes: [UInt8]) -> Int64 {
        let (digits, weight, isNegative) = parts(bytes)
        guard weight >= 0 else { return 0 }
        let limit: Int64 = isNegative ? .min : .max
        var value: Int64 = 0
        for index in 0...weight {
            let (product, isLarge) = value.multipliedReportingOverflow(by: 10_000)
            let (sum, isLarger) = product.subtractingReportingOverflow(index < digits.count ? digits[index] : 0)
            if isLarge || isLarger { return limit }
            value = sum
        }
        return isNegative ? value : (value == .min ? .max : -value)
    }
}
